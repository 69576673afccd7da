// Documents that chatform saves for later: text with a digest of its content. Knows neither files nor contents.

import { digest } from './digest.ts';
import type { Validator } from './documents.ts';
import { UsageError } from './errors.ts';
import { isObject, jsonIn } from './json.ts';
import { FORMAT_VERSION, type JsonObject } from './model.ts';

const MAJOR = FORMAT_VERSION.split('.')[0];

/** One kind of document, in the words of its errors. */
export interface Sealed<T> {
  /** `saved plan`. */
  readonly what: string;
  /** What writes one: `plan --out FILE`. */
  readonly by: string;
  /** What to do about a damaged one: `plan again`. */
  readonly remedy: string;
  /** What another document was mistaken for; null when it resembles none. */
  readonly mistaken: (found: JsonObject, file: string) => string | null;
  /** A member that only this kind of document has. */
  readonly mark: string;
  readonly validator: Validator<T>;
  /** The part that the digest is of; the whole document when left out. */
  readonly digested?: Digested;
}

/** What a digest is of. Gets every member, also those that this version does not know. */
export type Digested = (document: JsonObject) => JsonObject;

const whole: Digested = (document) => document;

/** The same content gives the same bytes, except for when and by which version it was written. */
export function sealedText(
  content: object,
  digested: Digested = whole,
): { readonly text: string; readonly digest: string } {
  // Members that JSON leaves out are not part of the digest.
  const plain = JSON.parse(JSON.stringify(content)) as JsonObject;
  const seal = digestOf(digested(plain));
  return { text: `${JSON.stringify({ ...plain, digest: seal }, null, 2)}\n`, digest: seal };
}

/** Includes members that this version does not know. */
function digestOf(document: JsonObject): string {
  const { created_at: _, chatform_version: __, digest: ___, ...rest } = document;
  return digest(rest);
}

/** Accepts members that a newer minor version adds. @throws UsageError that says what is wrong with `file` */
export function readSealed<T>(text: string, file: string, sealed: Sealed<T>): T {
  const { remedy, validator } = sealed;
  const found = parsed(text, file, sealed);
  const { format_version: format, chatform_version: maker } = found;
  if (typeof format !== 'string' || typeof maker !== 'string')
    throw new UsageError(sealed.mistaken(found, file) ?? noneOf(file, sealed));
  if (!/^\d+\.\d+$/.test(format) || format.split('.')[0] !== MAJOR)
    throw new UsageError(
      `${file} has format ${format}, and this chatform reads ${MAJOR}.x: use chatform ${maker}, which wrote it, or ${remedy}`,
    );
  if (!Object.hasOwn(found, sealed.mark)) throw new UsageError(noneOf(file, sealed));
  if (found['digest'] !== digestIn(found, file, sealed))
    throw new UsageError(`${file} was changed after it was written: its digest is not that of its content; ${remedy}`);
  if (validator(found)) return found;
  throw new UsageError(
    `${file} is not what format ${format} says: ${wrongMember(validator)} is missing, or not what it has to be; ${remedy}`,
  );
}

/** Path of the member that a document failed at. Of alternatives, the one that got furthest was meant. */
function wrongMember({ errors }: Validator<unknown>): string {
  const paths = (errors ?? []).map(({ instancePath, params }) => {
    const missing = params['missingProperty'];
    return `${instancePath}${typeof missing === 'string' ? `/${missing}` : ''}`;
  });
  const furthest = paths.reduce((one, other) => (other.length > one.length ? other : one), '');
  const names = furthest.slice(1).split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

/** Deeper nesting than a recursion can follow was never written by a program. */
function digestIn(found: JsonObject, file: string, { what, digested = whole }: Sealed<unknown>): string {
  try {
    return digestOf(digested(found));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${file} is no ${what} of chatform: it is nested too deep`);
  }
}

function noneOf(file: string, { what, by }: Sealed<unknown>): string {
  return `${file} is no ${what} of chatform: \`${by}\` saves one`;
}

function parsed(text: string, file: string, sealed: Sealed<unknown>): JsonObject {
  const found = jsonIn(text);
  if (isObject(found)) return found;
  if (found !== undefined) throw new UsageError(noneOf(file, sealed));
  // Whether it was cut off or never was JSON, the parser cannot tell; and it quotes the text, which may hold a secret.
  throw new UsageError(
    text.trimStart().startsWith('{')
      ? `${file} is not whole: it ends, or breaks off, before its JSON does`
      : `${file} is no ${sealed.what}: it is not JSON`,
  );
}
