// Secrets sink that is a file of KEY=value lines. Each secret has two lines: a comment that names its owner, and the assignment. Every other line
// stays as it is, byte for byte.

import { UsageError } from '../../base/errors.ts';
import type { Address, ObjectId } from '../../base/model.ts';
import type { SecretsSink, StoredSecret } from '../secrets.ts';
import { assignmentOf, type EnvLine, linesOf, quoted } from './env-lines.ts';
import { privateFile } from './private-file.ts';

export function envFileSink(path: string): SecretsSink {
  const file = privateFile(path, whatIs(path));
  return {
    probe: (addresses) =>
      file.probe((text) => {
        const page = pageOf(text, path);
        for (const [address, name] of namesOf(addresses)) placeOf(page, address, name, path);
      }),
    store: async (entries) => {
      const latest = [...new Map(entries.map((entry) => [entry.address, entry])).values()];
      namesOf(latest.map(({ address }) => address));
      if (entries.length > 0)
        await file.change((text) => latest.reduce((before, entry) => withSecret(before, entry, path), text));
    },
    holds: async (address, id) => {
      const pair = pairsOf(pageOf(await file.read(), path)).find((one) => one.address === address);
      return pair?.id === id && pair.hasValue;
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
export function envName(address: Address): string {
  return `${address}_secret`.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

function namesOf(addresses: readonly Address[]): ReadonlyMap<Address, string> {
  const owners = new Map<string, Address>();
  for (const address of addresses) {
    const name = envName(address);
    const other = owners.get(name) ?? address;
    if (other !== address) throw new UsageError(`${other} and ${address} would both be ${name}: give one another key`);
    owners.set(name, address);
  }
  return new Map([...owners].map(([name, address]) => [address, name]));
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
  return lines;
}

/** A comment of chatform and the assignment below it. */
interface Pair {
  readonly address: string;
  readonly id: ObjectId;
  readonly name: string;
  /** Index of the comment. */
  readonly at: number;
  readonly hasValue: boolean;
}

const MARK = '# chatform ';

function markOf({ address, id }: Pick<StoredSecret, 'address' | 'id'>): string {
  return `${MARK}${JSON.stringify({ address, id })}`;
}

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

function pairsOf(page: readonly EnvLine[]): readonly Pair[] {
  return page.flatMap((line, at): readonly Pair[] => {
    const mark = readMark(line);
    const next = page[at + 1];
    const assignment = next === undefined ? null : assignmentOf(next.text);
    if (mark === null || assignment === null || assignment.name !== envName(mark.address as Address)) return [];
    return [{ ...mark, name: assignment.name, at, hasValue: assignment.value !== '' }];
  });
}

/** Returns the line of the pair of an address; null when it has none. @throws UsageError when another line sets its name */
function placeOf(page: readonly EnvLine[], address: Address, name: string, path: string): number | null {
  const own = pairsOf(page).find((pair) => pair.address === address)?.at ?? null;
  const foreign = page.findIndex(
    ({ text }, index) => assignmentOf(text)?.name === name && (own === null || index !== own + 1),
  );
  if (foreign === -1) return own;
  const owner = pairsOf(page).find((pair) => pair.at + 1 === foreign && pair.address !== address)?.address;
  throw new UsageError(
    `${whatIs(path)} cannot take the secret of ${address}: line ${foreign + 1} sets ${name} ${
      owner === undefined ? 'and was not written by chatform; remove it' : `for ${owner}; give one of them another key`
    }`,
  );
}

function withSecret(text: string, entry: StoredSecret, path: string): string {
  const page = pageOf(text, path);
  const name = envName(entry.address);
  const value = quoted(entry.secret);
  if (value === null)
    throw new UsageError(`${whatIs(path)} cannot take the secret of ${entry.address}: no quotes are safe around it`);
  const place = placeOf(page, entry.address, name, path);
  const end = page[0]?.end === '\r\n' ? '\r\n' : '\n';
  const lines = page.map(({ text: line, end: ending }) => ({ text: line, end: ending }));
  if (place === null) {
    const last = lines.at(-1);
    if (last?.end === '') lines.splice(-1, 1, { ...last, end });
    lines.push({ text: markOf(entry), end }, { text: `${name}=${value}`, end });
  } else {
    lines.splice(place, 1, { text: markOf(entry), end: lines[place]?.end ?? end });
    lines.splice(place + 1, 1, { text: `${name}=${value}`, end: lines[place + 1]?.end ?? end });
  }
  return lines.map((line) => line.text + line.end).join('');
}
