// The gates of a fleet run on one license: read-only checks that the next wave waits for.

import { ApiError, assertNever, UsageError } from '../../base/errors.ts';
import type { Address, Place } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import { changesIn, type RunEvents, runsIn } from '../../ledger/changes.ts';
import { recordedRuns } from '../../ledger/runs.ts';
import type { GateEnd } from '../../many/drive.ts';
import { readRouting } from '../../planning/read-part.ts';
import { routedByLicense, tested } from '../../planning/routes.ts';
import type { Gate } from '../../project/fleet-settings.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { position } from '../../yaml/diagnostics.ts';
import { checkDrift, NOTHING_SEEN } from '../drift/read-drift.ts';
import { followTarget } from '../report/since/read-follow.ts';
import { type ActingOptions, testActing } from '../test/customer/read-customer.ts';
import { notShownText } from '../test/customer/words.ts';

/** What asks for a gate. */
interface GateOrigin {
  /** When the fleet run began, in milliseconds since the epoch: only its own changes are followed. */
  readonly since: number;
  /** Of the gate in chatform.yaml; null where its wave is not there any more. */
  readonly place: Place | null;
}

/**
 * Checks a gate. One that cannot be checked, also because its files cannot be read, does not pass, and says why. Of an undo, a gate that compares with the
 * files passes where they still declare what the undo took back: it would stop the undo because of what the undo is meant to change.
 */
export async function checkGate(
  gate: Gate,
  declared: Declared | Promise<Declared>,
  origin: GateOrigin,
  context: RunContext,
): Promise<GateEnd> {
  try {
    const message = await obstacle(gate, await declared, origin, context);
    if (message === null || gate === 'chats') return { passed: message === null, message };
    const behind = await declaredStill(gate, await declared, origin, context);
    return behind === null ? { passed: false, message } : { passed: true, message: behind };
  } catch (error) {
    if (error instanceof UsageError || error instanceof ApiError) return { passed: false, message: error.message };
    throw error;
  }
}

/** Why the gate does not pass; null when it does. */
async function obstacle(
  gate: Gate,
  declared: Declared,
  { since, place }: GateOrigin,
  context: RunContext,
): Promise<string | null> {
  switch (gate) {
    case 'customers':
      return unseen(declared, {}, context);
    case 'visitor': {
      const asker = place === null ? 'the gate `visitor`' : `the gate \`visitor\` (${position(place)})`;
      return unseen(declared, { visitor: true, visitorFor: asker }, context);
    }
    case 'tests':
      return misrouted(declared, context);
    case 'no_drift':
      return drifted(declared, context);
    case 'chats':
      return changedFigures(declared, since, context);
    default:
      return assertNever(gate);
  }
}

async function unseen(
  declared: Declared,
  options: Pick<ActingOptions, 'visitor' | 'visitorFor'>,
  context: RunContext,
): Promise<string | null> {
  const seen = await testActing(declared, { ...options, afterApply: true }, context);
  if (!('view' in seen)) throw new UsageError('nothing was tested, because another run holds the lease');
  const { checks, summary } = seen.view;
  const wrong = checks.filter(({ outcome }) => outcome === 'differs');
  if (wrong.length > 0) return wrong.map(({ subject, message }) => `${subject}: ${message}`).join('; ');
  const hidden = notShownText(seen.view);
  if (hidden !== null) {
    const [first] = checks.filter(({ hindrance }) => hindrance === 'routes-not-shown');
    const more =
      options.visitor === true ? `${first?.subject}: ${first?.message}` : 'the gate `visitor` visits the pages';
    return `${hidden}; ${more}`;
  }
  return summary.ok > 0
    ? null
    : 'customers see nothing of what the manifest declares: leave out the gate, or declare routes';
}

async function misrouted(declared: Declared, context: RunContext): Promise<string | null> {
  if (declared.routes.length === 0)
    return 'the manifest has no routing tests, so this proves nothing: add `routes:`, or leave out the gate';
  const { license } = await readRouting(declared, context);
  const { tests } = tested(declared.settings.name, 'live', routedByLicense(declared, license).results);
  const wrong = tests.filter(({ outcome }) => outcome !== 'passed');
  if (wrong.length === 0) return null;
  return `${wrong.length} of ${counted(tests.length, 'routing test')} did not pass: ${few(wrong.map(({ name, visitor }) => name ?? visitor))}`;
}

async function drifted(declared: Declared, context: RunContext): Promise<string | null> {
  const { report } = await checkDrift(declared, NOTHING_SEEN, {}, context);
  if (report.in_sync) return null;
  const { failing } = report.summary;
  // The most severe come first.
  const addresses = new Set(report.items.slice(0, failing).map(({ address }) => address));
  return `${counted(failing, 'difference')} as severe as fail_on (${report.fail_on}): ${few([...addresses])}`;
}

/** That the files still declare what an undo of this run took back; null where it is no undo, or something else differs. */
async function declaredStill(
  gate: Gate,
  declared: Declared,
  { since }: GateOrigin,
  context: RunContext,
): Promise<string | null> {
  const runs = runsIn(await ledgerAt(declared.settings.ledger, context).read());
  const isUndo = ({ events }: RunEvents): boolean =>
    events.some((event) => event.type === 'begun' && event.undoes !== undefined && Date.parse(event.at) >= since);
  const undo = runs.findLast(isUndo);
  if (undo === undefined) return null;
  const undone = new Set(changesIn(undo.events).map(({ address }) => address));
  const { report } = await checkDrift(declared, NOTHING_SEEN, {}, context);
  const failing = report.items.slice(0, report.summary.failing).map(({ address }) => address);
  const known = failing.filter((address) => undone.has(address as Address));
  if (known.length === 0 || (gate === 'no_drift' && known.length < failing.length)) return null;
  return `not compared, because the files still declare what was taken back: ${few([...new Set(known)])}`;
}

/** Follows what this run changed. Waits for an hour of reports where they show none since. */
async function changedFigures({ settings }: Declared, since: number, context: RunContext): Promise<string | null> {
  const runs = recordedRuns(await ledgerAt(settings.ledger, context).read());
  const own = runs.findLast(({ at }) => Date.parse(at) >= since);
  if (own === undefined) return null;
  const options = { run: own.id, groups: [], hours: null };
  const now = await followTarget(settings, options, context);
  const isEmpty = now.report.window.hours === 0 && now.report.groups.length > 0;
  const { report } = isEmpty ? await followTarget(settings, { ...options, hours: 1 }, context) : now;
  if (report.interrupted) throw new UsageError('interrupted before the reports showed an hour');
  const changed = report.groups.filter(({ result }) => result === 'changed').map(({ name }) => name);
  return changed.length === 0 ? null : `figures have changed since the apply: ${few(changed)}`;
}
