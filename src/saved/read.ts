// The text of a file in; the saved plan in it, or why it is none, out. Knows no file.

import { UsageError } from '../errors.ts';
import { isObject } from '../kinds/wire.ts';
import { FORMAT_VERSION, type Json, type JsonObject } from '../model.ts';
import { misfit } from './fits.ts';
import { digestOf, type SavedPlan } from './saved-plan.ts';
import { savedPlanSchema } from './schema.ts';

const MAJOR = FORMAT_VERSION.split('.')[0];

/** Of any age: a higher minor version only adds members, which mean nothing here. @throws UsageError that says what is wrong with `file` */
export function readSavedPlan(text: string, file: string): SavedPlan {
  const found = parsed(text, file);
  const { format_version: format, chatform_version: maker } = found;
  if (typeof format !== 'string' || typeof maker !== 'string')
    throw new UsageError(
      'resource_changes' in found && 'api_version' in found
        ? `${file} is what \`plan --json\` printed; a plan that can be applied is saved by \`plan --out FILE\``
        : `${file} is no saved plan of chatform: \`plan --out FILE\` saves one`,
    );
  if (!/^\d+\.\d+$/.test(format) || format.split('.')[0] !== MAJOR)
    throw new UsageError(
      `${file} has format ${format}, and this chatform reads ${MAJOR}.x: use chatform ${maker}, which wrote it, or plan again`,
    );
  if (found['digest'] !== digestIn(found, file))
    throw new UsageError(`${file} was changed after it was written: its digest is not that of its content; plan again`);
  const wrong = misfit(savedPlanSchema(), found);
  if (wrong !== null)
    throw new UsageError(
      `${file} is not what format ${format} says: ${wrong} is missing, or not what it has to be; plan again`,
    );
  return found as unknown as SavedPlan;
}

/** Whatever is nested deeper than a program can follow was never written by one. */
function digestIn(found: JsonObject, file: string): string {
  try {
    return digestOf(found);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${file} is no saved plan of chatform: it is nested too deep`);
  }
}

function parsed(text: string, file: string): JsonObject {
  try {
    const found = JSON.parse(text) as Json;
    if (isObject(found)) return found;
  } catch {
    // Whether it was cut off or never was JSON, the parser cannot tell; what it quotes may be anybody's.
    const isBegun = text.trimStart().startsWith('{');
    throw new UsageError(
      isBegun
        ? `${file} is not whole: it ends, or breaks off, before its JSON does`
        : `${file} is no saved plan: it is not JSON`,
    );
  }
  throw new UsageError(`${file} is no saved plan of chatform: \`plan --out FILE\` saves one`);
}
