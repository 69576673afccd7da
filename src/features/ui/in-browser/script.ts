// The script of the page. Bundled at build; the page allows it by its hash, and it sends nothing.

import { answerVisitors } from './ask-form.ts';
import type { PageDocument } from './elements.ts';

declare const document: PageDocument;

answerVisitors(document, () => Date.now());
