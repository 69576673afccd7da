// The formats of reports. Every start of the command line loads it, and none of the writers.

import type { Writers } from '../view/report.ts';

/** Every operation has each of them. */
export const WRITERS = {
  text: () => import('../view/writers/terminal.ts'),
  json: () => import('../view/writers/json.ts'),
  html: () => import('../view/writers/html.ts'),
  markdown: () => import('../view/writers/markdown.ts'),
  csv: () => import('../view/writers/csv.ts'),
  junit: () => import('../view/writers/junit.ts'),
  sarif: () => import('../view/writers/sarif.ts'),
  codequality: () => import('../view/writers/code-quality.ts'),
} satisfies Writers;

export type Format = keyof typeof WRITERS;
export const FORMATS = Object.keys(WRITERS) as readonly Format[];

/** Whether one of `--report FORMAT=FILE` draws pictures. */
export async function areDrawn(values: readonly string[] = []): Promise<boolean> {
  const formats = FORMATS.filter((format) => values.some((value) => value.startsWith(`${format}=`)));
  const loaded = await Promise.all(formats.map((format) => WRITERS[format]()));
  return loaded.some(({ report }) => report.draws === true);
}
