// A file of traffic as a value for the emulator, or everything that is wrong in it, each at its place. Plays nothing.

import type { Schema } from '../../../base/documents.ts';
import { UsageError } from '../../../base/errors.ts';
import type { Diagnostic } from '../../../base/model.ts';
import { mistakesIn, parseTraffic, TRAFFIC_SCHEMA, type Traffic } from '../../../emulator/index.ts';
import { conform } from '../../../yaml/conform.ts';
import { byPlace, collector, diagnosticsOf, limitFindings, MOST_FINDINGS } from '../../../yaml/diagnostics.ts';
import { disk, type FileSystem, readFile } from '../../../yaml/read.ts';
import { validator } from './validator.ts';

/** @throws UsageError with every mistake of the file */
export async function loadTraffic(file: string, io: FileSystem = disk([file])): Promise<Traffic> {
  const parsed = await readFile(file, io);
  if (!('source' in parsed)) throw refused(file, [parsed]);
  const { source, value, whole } = parsed;
  const collected = collector(MOST_FINDINGS);
  if (whole) {
    collected.emit(conform(validator, () => TRAFFIC_SCHEMA as Schema, value));
    collected.emit(mistakesIn(value));
  }
  const found = [...parsed.diagnostics, ...diagnosticsOf(collected, source.mark, parsed.diagnostics)];
  if (found.some(({ severity }) => severity === 'error')) throw refused(file, found);
  return parseTraffic(value);
}

const refused = (file: string, found: readonly Diagnostic[]): UsageError =>
  new UsageError(`${file} has errors`, limitFindings(found.toSorted(byPlace)));
