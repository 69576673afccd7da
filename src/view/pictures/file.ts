// A file in the page: a link that saves it, without a network and without a script.

import type { Picture } from '../blocks.ts';
import { type Html, html } from '../html/markup.ts';
import { tableCsv } from '../writers/csv.ts';

type File = Extract<Picture, { readonly kind: 'file' }>;

export function filePart({ name, label, table }: File): Html {
  const data = Buffer.from(tableCsv(table)).toString('base64');
  return html`<p><a download="${name}" href="data:text/csv;charset=utf-8;base64,${data}">${label}</a></p>`;
}
