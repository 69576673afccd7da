// The writers of an operation, all loaded, and which of them takes a file for one of its own.

import { WRITERS } from '../../src/many/formats.ts';
import type { Operation, Outcome } from '../../src/many/operation.ts';
import type { ReportWriter } from '../../src/view/report.ts';

export async function writersOf<Value>({
  formats,
}: Pick<Operation<never, Value>, 'formats'> = {}): Promise<ReadonlyMap<string, ReportWriter<Outcome<Value>>>> {
  const loaded = Object.entries({ ...WRITERS, ...formats }).map(
    async ([format, load]) => [format, (await load()).report] as const,
  );
  return new Map(await Promise.all(loaded));
}

/** The formats in which chatform takes a file for its own. */
export function ownFormats(
  text: string,
  writers: ReadonlyMap<string, Pick<ReportWriter, 'begins'>>,
): readonly string[] {
  return [...writers].flatMap(([format, { begins }]) => (begins.test(text.slice(0, 4096)) ? [format] : []));
}
