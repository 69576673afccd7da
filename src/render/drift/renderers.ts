// The formats of reports, and who writes each. A look in, a whole document out, whatever the outcome.

import type { Look } from '../../tasks/drift/report.ts';
import { driftDocument, failureDocument } from '../documents.ts';
import { plain } from '../plain.ts';
import type { PathInRepository } from '../repository-path.ts';
import { driftJunit } from './junit.ts';
import { driftMarkdown } from './markdown.ts';
import { driftPrometheus } from './prometheus.ts';
import { driftSarif } from './sarif.ts';
import { lookText } from './text.ts';

export type ReportFormat = 'text' | 'json' | 'markdown' | 'junit' | 'sarif' | 'prometheus';

export const renderers: { readonly [format in ReportFormat]: (look: Look, pathOf?: PathInRepository) => string } = {
  text: lookText,
  json: (look) => (look.outcome === 'seen' ? driftDocument(look.report, []) : failureDocument(plain(look.message), [])),
  markdown: driftMarkdown,
  junit: driftJunit,
  sarif: driftSarif,
  prometheus: driftPrometheus,
};

export const FORMATS = Object.keys(renderers) as readonly ReportFormat[];
