// Names that a shell offers for a half-written command line: targets, addresses and kinds. Reads files, writes none, and asks no service.

import { join } from 'node:path';
import { byText, isObject } from '../../base/json.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { fileLedger } from '../../ledger/file.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { isInDatabase } from '../../ledger/place.ts';
import { compose } from '../../manifest/compose.ts';
import { declaredEntries } from '../../manifest/sections.ts';
import { fromProject, PROJECT_FILE } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { disk, readFile, readFiles } from '../../yaml/read.ts';

/** Names of the targets of the project in a folder, in the order of the file; none where it cannot be read. */
export async function offeredTargets(folder: string): Promise<readonly string[]> {
  const parsed = await readFile(join(folder, PROJECT_FILE), disk());
  const targets = 'source' in parsed && isObject(parsed.value) ? parsed.value['targets'] : null;
  return isObject(targets) ? Object.keys(targets).filter(isOneLine) : [];
}

/** A shell reads an offer a line, up to a tab, and shows it as it is. */
function isOneLine(name: string): boolean {
  return !/\p{Cc}/u.test(name);
}

/** More than a person reads; then only those of a written kind are offered. */
const MOST = 1_000;

/** The target that is meant; its default without a name. */
interface Where {
  readonly folder: string;
  readonly target: string | null;
}

type Environment = Pick<RunContext, 'env' | 'clock'>;

/** Kinds, then what the manifest of the target declares and its ledger owns; only kinds where files have errors. `begun`: what is written of the word. */
export async function offeredAddresses(
  where: Where,
  begun: string,
  environment: Environment,
): Promise<readonly string[]> {
  const known = await addressesOf(where, environment);
  const meant = known.filter((address) => address.startsWith(begun));
  return [...KIND_NAMES, ...(meant.length > MOST && !begun.includes('/') ? [] : meant)];
}

/** Keys of the groups that the manifest of the target declares, or its ledger owns. */
export async function offeredGroups(where: Where, environment: Environment): Promise<readonly string[]> {
  const known = await addressesOf(where, environment);
  return known.flatMap((address) => (address.startsWith('group/') ? [address.slice('group/'.length)] : []));
}

/** Runs of the ledger of the target, the newest first. */
export async function offeredRuns(where: Where, environment: Environment): Promise<readonly string[]> {
  const { settings } = await chosenAt(where, environment);
  const events = settings === null ? [] : await ownedEvents(settings.ledger).catch(() => []);
  const runs = events.flatMap((event) => (event.type === 'run' ? [event.run] : []));
  return runs.toReversed().slice(0, MOST_RUNS);
}

const MOST_RUNS = 20;

async function addressesOf(where: Where, environment: Environment): Promise<readonly string[]> {
  const known = await chosenAt(where, environment)
    .then(addressesIn)
    .catch(() => []);
  return [...new Set(known)].filter(isOneLine).sort(byText);
}

async function addressesIn({ settings, files }: Awaited<ReturnType<typeof chosenAt>>): Promise<readonly string[]> {
  if (settings === null) return [];
  const [read, events] = await Promise.all([readFiles(files, disk()), ownedEvents(settings.ledger)]);
  const declared = declaredEntries(compose(read.files).value).map(({ address }) => address);
  return [...declared, ...foldLedger(events).bindings.keys()];
}

function chosenAt({ folder, target }: Where, environment: Environment) {
  const project = join(folder, PROJECT_FILE);
  return fromProject({ project, ...(target === null ? {} : { target }) }, environment);
}

/** A person who types does not wait for a database. */
async function ownedEvents(ledger: string): Promise<readonly LedgerEvent[]> {
  return isInDatabase(ledger) ? [] : fileLedger(ledger).read();
}
