// The script of the page. Bundled at build; the page allows it by its hash, and it sends nothing.

import { tellAge } from './age.ts';
import { answerVisitors } from './ask-form.ts';
import type { PageDocument } from './elements.ts';
import { filterLicenses } from './license-filter.ts';

declare const document: PageDocument;
declare const location: { readonly hash: string };
declare const history: { readonly replaceState: (state: null, title: string, url: string) => void };
declare const addEventListener: (type: 'hashchange', listener: () => void) => void;

/** Milliseconds between two looks at the clock. */
const OFTEN = 600_000;

answerVisitors(document, () => Date.now());
filterLicenses(document, {
  read: () => location.hash,
  write: (text) => history.replaceState(null, '', `#${text}`),
  onChange: (listener) => addEventListener('hashchange', listener),
});
tellAge(document, Date.now());
setInterval(() => tellAge(document, Date.now()), OFTEN);
