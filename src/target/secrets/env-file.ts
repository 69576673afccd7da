// Secrets sink that is a file of KEY=value lines. Each secret and each token has two lines: a comment that names its owner, and the assignment. Every
// other line stays as it is, byte for byte.

import { UsageError } from '../../base/errors.ts';
import type { Address, ObjectId } from '../../base/model.ts';
import { privateFile } from './private-file.ts';
import type { SecretSubject, StoredSecret, TokenSink } from './secrets.ts';

/** What an object has in the file; the end of the name of its line. */
type Held = 'secret' | 'token';

/** A secret or token with what its comment says. */
interface EnvEntry {
  readonly held: Held;
  readonly mark: SecretSubject & { readonly token_expires_at?: string };
  readonly value: string;
}

export function envFileSink(path: string): TokenSink {
  const file = privateFile(path, whatIs(path));
  const pairOf = async (address: Address, id: ObjectId): Promise<Pair | null> => {
    const pair = pairsOf(pageOf(await file.read(), path)).find((one) => one.name === envName(address));
    return pair?.address === address && pair.id === id && pair.value !== '' ? pair : null;
  };
  return {
    probe: (addresses) =>
      file.probe((text) => {
        const page = pageOf(text, path);
        namesOf(addresses);
        for (const address of addresses) placeOf(page, { address, held: 'secret' }, path);
      }),
    store: async (entries) => {
      const latest = [...new Map(entries.map((entry) => [entry.address, entry])).values()];
      namesOf(latest.map(({ address }) => address));
      if (entries.length > 0)
        await file.change((text) =>
          latest.reduce((before, entry) => withEntry(before, secretEntry(entry), path), text),
        );
    },
    kept: async (addresses) => {
      const pairs = pairsOf(pageOf(await file.read(), path));
      return addresses.flatMap((address) =>
        pairs.flatMap((pair) =>
          pair.name === envName(address) && pair.address === address ? [{ address, id: pair.id }] : [],
        ),
      );
    },
    holds: async (address, id) => (await pairOf(address, id)) !== null,
    remove: (subjects) => file.change((text) => withoutObjects(text, subjects, path)),
    probeToken: ({ address }) =>
      file.probe((text) => {
        placeOf(pageOf(text, path), { address, held: 'token' }, path);
      }),
    storeToken: async ({ address, id, token, until }) => {
      const mark = { address, id, token_expires_at: until };
      await file.change((text) => withEntry(text, { held: 'token', mark, value: token }, path));
    },
    secretOf: async (address, id) => {
      const pair = await pairOf(address, id);
      return pair === null ? null : unquoted(pair.value);
    },
  };
}

/** Returns the mode of the file, null when there is none. Writes nothing. @throws UsageError when `store` could not work */
export function inspectEnvFile(path: string): Promise<number | null> {
  return privateFile(path, whatIs(path)).inspect((text) => pageOf(text, path));
}

/**
 * Returns the name for an address: `bot/triage` is `BOT_TRIAGE_SECRET`. Characters other than ASCII letters and digits become `_`, so that several
 * addresses can have one name; those are refused.
 */
export function envName(address: Address, held: Held = 'secret'): string {
  return `${address}_${held}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/** @throws UsageError where two of the addresses have one name */
function namesOf(addresses: readonly Address[]): void {
  const owners = new Map<string, Address>();
  for (const address of addresses) {
    const name = envName(address);
    const other = owners.get(name) ?? address;
    if (other !== address) throw new UsageError(`${other} and ${address} would both be ${name}: give one another key`);
    owners.set(name, address);
  }
}

function secretEntry({ address, id, secret }: StoredSecret): EnvEntry {
  return { held: 'secret', mark: { address, id }, value: secret };
}

function whatIs(path: string): string {
  return `the env file ${path}`;
}

/** @throws UsageError for a text in which lines and values cannot be told apart */
function pageOf(text: string, path: string): readonly EnvLine[] {
  const lines = linesOf(text);
  const open = lines.findIndex(({ isOpen }) => isOpen);
  if (open !== -1)
    throw new UsageError(
      `${whatIs(path)} cannot be edited: line ${open + 1} goes on in the next one; keep secrets in a file of their own`,
    );
  const strange = lines.findIndex(({ text: line }) => !isOfEnvFile(line));
  if (strange !== -1)
    throw new UsageError(
      `${whatIs(path)} cannot be edited: line ${strange + 1} is no KEY=value, so it was made for something else; keep secrets in a file of their own`,
    );
  return lines;
}

/** Whether a text has lines that chatform did not write. */
export function hasOtherLines(text: string): boolean {
  const page = linesOf(text);
  const own = new Set(pairsOf(page).flatMap(({ at }) => [at, at + 1]));
  return page.some((line, index) => line.text.trim() !== '' && !own.has(index));
}

/** A comment of chatform and the assignment below it. */
interface Pair {
  readonly address: string;
  readonly id: ObjectId;
  readonly name: string;
  /** Index of the comment. */
  readonly at: number;
  /** As it is written. */
  readonly value: string;
}

const MARK = '# chatform ';

function readMark({ text }: EnvLine): Pick<Pair, 'address' | 'id'> | null {
  if (!text.startsWith(MARK)) return null;
  try {
    const { address, id } = JSON.parse(text.slice(MARK.length)) as { readonly [name: string]: unknown };
    const isId = typeof id === 'string' || typeof id === 'number';
    return typeof address === 'string' && isId ? { address, id } : null;
  } catch {
    return null;
  }
}

const HELD: readonly Held[] = ['secret', 'token'];

function pairsOf(page: readonly EnvLine[]): readonly Pair[] {
  return page.flatMap((line, at): readonly Pair[] => {
    const mark = readMark(line);
    const next = page[at + 1];
    const assignment = next === undefined ? null : assignmentOf(next.text);
    if (mark === null || assignment === null) return [];
    const { name, value } = assignment;
    const isOwn = HELD.some((held) => envName(mark.address as Address, held) === name);
    return isOwn ? [{ ...mark, name, at, value }] : [];
  });
}

/** Returns the line of the pair of an address; null when it has none. @throws UsageError when another line sets its name */
function placeOf(
  page: readonly EnvLine[],
  { address, held }: { readonly address: Address; readonly held: Held },
  path: string,
): number | null {
  const name = envName(address, held);
  const own = pairsOf(page).find((pair) => pair.address === address && pair.name === name)?.at ?? null;
  const foreign = page.findIndex(
    ({ text }, index) => assignmentOf(text)?.name === name && (own === null || index !== own + 1),
  );
  if (foreign === -1) return own;
  const owner = pairsOf(page).find((pair) => pair.at + 1 === foreign && pair.address !== address)?.address;
  throw new UsageError(
    `${whatIs(path)} cannot take the ${held} of ${address}: line ${foreign + 1} sets ${name} ${
      owner === undefined ? 'and was not written by chatform; remove it' : `for ${owner}; give one of them another key`
    }`,
  );
}

function withEntry(text: string, { held, mark, value: plain }: EnvEntry, path: string): string {
  const { address } = mark;
  const page = pageOf(text, path);
  const name = envName(address, held);
  const value = quoted(plain);
  if (value === null)
    throw new UsageError(`${whatIs(path)} cannot take the ${held} of ${address}: no quotes are safe around it`);
  const place = placeOf(page, { address, held }, path);
  const comment = `${MARK}${JSON.stringify(mark)}`;
  const end = page[0]?.end === '\r\n' ? '\r\n' : '\n';
  const lines = page.map(({ text: line, end: ending }) => ({ text: line, end: ending }));
  if (place === null) {
    const last = lines.at(-1);
    if (last?.end === '') lines.splice(-1, 1, { ...last, end });
    lines.push({ text: comment, end }, { text: `${name}=${value}`, end });
  } else {
    lines.splice(place, 1, { text: comment, end: lines[place]?.end ?? end });
    lines.splice(place + 1, 1, { text: `${name}=${value}`, end: lines[place + 1]?.end ?? end });
  }
  return lines.map((line) => line.text + line.end).join('');
}

/** Removes both lines of each secret and token of these objects. */
function withoutObjects(text: string, subjects: readonly SecretSubject[], path: string): string {
  const page = pageOf(text, path);
  const gone = pairsOf(page).filter((pair) =>
    subjects.some(({ address, id }) => pair.address === address && pair.id === id),
  );
  const lines = new Set(gone.flatMap(({ at }) => [at, at + 1]));
  return page.flatMap((line, at) => (lines.has(at) ? [] : [line.text + line.end])).join('');
}

interface EnvLine {
  /** Without the line end. */
  readonly text: string;
  /** `''` for a last line that has none. */
  readonly end: '\n' | '\r\n' | '';
  /** A quote is not closed, or the line ends with a backslash: for some readers it continues in the next line. */
  readonly isOpen: boolean;
}

function linesOf(text: string): readonly EnvLine[] {
  return Array.from(text.matchAll(/([^\n]*?)(\r?\n|$)/g), ([, line = '', end = '']) => ({
    text: line,
    end: end as EnvLine['end'],
    isOpen: isOpen(line),
  })).filter(({ text: line, end }) => line !== '' || end !== '');
}

/**
 * Returns the assignment of a line: the name as shells read it, also before the colon that some readers allow, and the value with its quotes. Null
 * for any other line.
 */
export function assignmentOf(line: string): { readonly name: string; readonly value: string } | null {
  const [, name, value = ''] = /^\ufeff?\s*(?:export\s+)?([A-Za-z_]\w*)\s*(?:=|:\s)\s*(.*?)\s*$/s.exec(line) ?? [];
  return name === undefined ? null : { name, value };
}

/** Whether a line is blank, a comment, an assignment, or a name whose value the reader has. Anything else is of another kind of file, such as YAML. */
function isOfEnvFile(line: string): boolean {
  return /^\ufeff?\s*(?:#.*|(?:export\s+)?[A-Za-z_][\w.-]*\s*(?:=.*)?|[A-Z_][A-Z0-9_]*:\s.*)?$/s.test(line);
}

/** Returns a spelling that every reader takes for the same text; null when there is none. */
export function quoted(value: string): string | null {
  if (/^[A-Za-z0-9_.:/@%+=,-]+$/.test(value)) return value;
  return /^[^'\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u.test(value) ? `'${value}'` : null;
}

/** Returns the text of a value that `quoted` spelled; null for any other spelling, which readers may take for different texts. */
function unquoted(value: string): string | null {
  const text = /^'(.*)'$/s.exec(value)?.[1] ?? value;
  return quoted(text) === value ? text : null;
}

function isOpen(line: string): boolean {
  if (/\\$/.test(line) || line.includes('\0')) return true;
  if (/^\ufeff?\s*(#|$)/.test(line)) return false;
  let quote: string | null = null;
  for (let index = line.indexOf('=') + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") index += 1;
    else if (quote !== null) quote = character === quote ? null : quote;
    else if (/["'`]/.test(character)) quote = character;
    else if (character === '#' && /\s/.test(line.charAt(index - 1))) return false;
  }
  return quote !== null;
}
