// Documents that chatform saves for later: content in, text with a digest out; and text in, the content or why it is none out. Knows no file, and
// nothing of what the content says.

import { digest } from '../../base/digest.ts';
import type { Schema } from '../../base/documents.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { FORMAT_VERSION, type Json, type JsonObject } from '../../base/model.ts';
import { misfit } from './fits.ts';

const MAJOR = FORMAT_VERSION.split('.')[0];

/** What kind of document it is, in the words of its errors. */
export interface Sealed {
  /** `saved plan`. */
  readonly what: string;
  /** What writes one: `plan --out FILE`. */
  readonly by: string;
  /** What to do about one that is no good: `plan again`. */
  readonly anew: string;
  /** Why something that is none may have been taken for one; null when nothing comes to mind. */
  readonly mistaken: (found: JsonObject, file: string) => string | null;
  /** A member that only this kind of document has. */
  readonly mark: string;
  readonly schema: () => Schema;
}

/** The same content gives the same bytes, but for when and by which version it was written. */
export function sealedText(content: object): { readonly text: string; readonly digest: string } {
  // What JSON leaves out must not count either.
  const plain = JSON.parse(JSON.stringify(content)) as JsonObject;
  const seal = digestOf(plain);
  return { text: `${JSON.stringify({ ...plain, digest: seal }, null, 2)}\n`, digest: seal };
}

/** Members that this version does not know count as well. */
export function digestOf(document: JsonObject): string {
  const { created_at: _, chatform_version: __, digest: ___, ...rest } = document;
  return digest(rest);
}

/** Of any age: a higher minor version only adds members, which mean nothing here. @throws UsageError that says what is wrong with `file` */
export function readSealed(text: string, file: string, sealed: Sealed): JsonObject {
  const { anew } = sealed;
  const found = parsed(text, file, sealed);
  const { format_version: format, chatform_version: maker } = found;
  if (typeof format !== 'string' || typeof maker !== 'string')
    throw new UsageError(sealed.mistaken(found, file) ?? noneOf(file, sealed));
  if (!/^\d+\.\d+$/.test(format) || format.split('.')[0] !== MAJOR)
    throw new UsageError(
      `${file} has format ${format}, and this chatform reads ${MAJOR}.x: use chatform ${maker}, which wrote it, or ${anew}`,
    );
  if (!Object.hasOwn(found, sealed.mark)) throw new UsageError(noneOf(file, sealed));
  if (found['digest'] !== digestIn(found, file, sealed))
    throw new UsageError(`${file} was changed after it was written: its digest is not that of its content; ${anew}`);
  const wrong = misfit(sealed.schema(), found);
  if (wrong !== null)
    throw new UsageError(
      `${file} is not what format ${format} says: ${wrong} is missing, or not what it has to be; ${anew}`,
    );
  return found;
}

/** Whatever is nested deeper than a program can follow was never written by one. */
function digestIn(found: JsonObject, file: string, { what }: Sealed): string {
  try {
    return digestOf(found);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${file} is no ${what} of chatform: it is nested too deep`);
  }
}

function noneOf(file: string, { what, by }: Sealed): string {
  return `${file} is no ${what} of chatform: \`${by}\` saves one`;
}

function parsed(text: string, file: string, sealed: Sealed): JsonObject {
  try {
    const found = JSON.parse(text) as Json;
    if (isObject(found)) return found;
  } catch {
    // Whether it was cut off or never was JSON, the parser cannot tell; what it quotes may be anybody's.
    const isBegun = text.trimStart().startsWith('{');
    throw new UsageError(
      isBegun
        ? `${file} is not whole: it ends, or breaks off, before its JSON does`
        : `${file} is no ${sealed.what}: it is not JSON`,
    );
  }
  throw new UsageError(noneOf(file, sealed));
}
