// A target and what was seen before in; what one look at its license found, out, and what it was made from. It reads, and writes nothing anywhere; a look
// that fails is a look with that outcome.

import type { Address, Desired, Diagnostic, LedgerState, Severity } from '../../base/model.ts';
import type { Comparison } from '../../plan/compare.ts';
import type { Note } from '../../plan/plan.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { type View, viewOf, wholeView } from '../../reading/view.ts';
import { reportOf } from '../../tasks/drift/compose.ts';
import { differencesOf } from '../../tasks/drift/differences.ts';
import { judge } from '../../tasks/drift/judge.ts';
import { lostIds } from '../../tasks/drift/objects.ts';
import type { DriftNote, DriftReport, Look } from '../../tasks/drift/report.ts';
import { lastApplied, type Sightings, sighted } from '../../tasks/drift/sightings.ts';
import { connect } from '../connect.ts';
import { type Planning, planTarget } from '../planning.ts';
import { type PreparedFiles, prepare, type TargetFlags } from '../prepare.ts';
import { diagnosticsOf, messageOf } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { betweenRuns } from './between-runs.ts';

export interface LookFlags extends TargetFlags {
  /** Instead of what chatform.yaml says. */
  readonly failOn?: Severity;
}

/** What a look was made from. */
export interface Basis {
  readonly prepared: PreparedFiles & { readonly desired: Desired };
  readonly planning: Planning;
}

interface Seen {
  readonly look: Extract<Look, { readonly outcome: 'seen' }>;
  readonly sightings: Sightings;
  readonly diagnostics: readonly Diagnostic[];
  readonly basis: Basis;
}

interface Failed {
  readonly look: Extract<Look, { readonly outcome: 'failed' }>;
  readonly diagnostics: readonly Diagnostic[];
  readonly basis: null;
}

/** `recalled` is null when nobody knew what to recall, or how. */
export type Looked<Known = unknown> = (Seen | Failed) & { readonly recalled: Known | null };

/** Recalls what was seen before, of a target that is known only once its files are read. */
export type Recall<Known extends Recalled> = (settings: TargetSettings) => Promise<Known>;

export interface Recalled {
  readonly sightings: Sightings;
  readonly note: DriftNote | null;
}

/** `objects`: what the manifest speaks of, or each in full, for whoever has to declare one. */
export async function lookAt<Known extends Recalled>(
  flags: LookFlags,
  recall: Recall<Known>,
  terminal: Terminal,
  objects: 'as declared' | 'whole objects' = 'as declared',
): Promise<Looked<Known>> {
  let settings: TargetSettings | null = null;
  let recalled: Known | null = null;
  const failed = (message: string, diagnostics: readonly Diagnostic[]): Looked<Known> => ({
    look: {
      outcome: 'failed',
      target: settings?.name ?? flags.target ?? null,
      at: now(terminal),
      message: inOneLine(message, diagnostics),
    },
    diagnostics,
    basis: null,
    recalled,
  });
  try {
    const prepared = await prepare(flags, terminal);
    settings = prepared.settings;
    if (prepared.settings === null) return failed('the files have errors', prepared.diagnostics);
    recalled = await recall(prepared.settings);
    if (prepared.desired === null) return failed('the files have errors', prepared.diagnostics);
    const readable = { ...prepared, desired: prepared.desired };
    const reading = await betweenRuns(prepared.settings, () => read(readable, objects, flags, terminal), terminal);
    if (!isComparable(reading.planning))
      return failed('the license and the manifest cannot be compared', reading.planning.diagnostics);
    return { ...seen(reading, recalled, flags, terminal), recalled };
  } catch (error) {
    return failed(messageOf(error), diagnosticsOf(error));
  }
}

/** Whoever reads it in a report or in a chat sees no stderr beside it. */
function inOneLine(message: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const where = first === undefined ? '' : `: ${first.place.file}:${first.place.line}, ${first.code}`;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return `${message.replaceAll(/\s*\n\s*/g, '; ')}${where}${more}`;
}

function now({ clock }: Terminal): string {
  return new Date(clock.now()).toISOString();
}

type Reading = Basis & { readonly requests: number };

async function read(
  prepared: Basis['prepared'],
  objects: 'as declared' | 'whole objects',
  flags: LookFlags,
  terminal: Terminal,
): Promise<Reading> {
  const { settings, desired } = prepared;
  const { client, signal, close } = await connect(settings, terminal, flags.quiet === true);
  try {
    const viewed = (ledger: LedgerState): View => {
      const view = viewOf(desired, ledger, settings.apiVersion);
      return objects === 'as declared'
        ? view
        : { ...wholeView(desired, ledger, settings.apiVersion), kinds: view.kinds };
    };
    const planning = await planTarget(prepared, client, flags, { ...terminal, signal }, viewed);
    const requests = Object.values(client.requests()).reduce((sum, count) => sum + count, 0);
    return { prepared, planning, requests };
  } finally {
    await close();
  }
}

/** What an `id:` names may be gone: an apply has to ask what is meant by it, and a look just tells it, with all the rest. */
function isComparable({ plan, diagnostics, compared }: Planning): boolean {
  if (plan !== null) return true;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return lostIds(compared).length > 0 && errors.every(({ code }) => code === 'dangling-reference');
}

function seen(
  { prepared, planning, requests }: Reading,
  { sightings: before, note }: Recalled,
  flags: LookFlags,
  terminal: Terminal,
): Seen {
  const { settings } = prepared;
  const at = now(terminal);
  const failOn = flags.failOn ?? settings.drift.failOn;
  const { compared, options } = planning;
  const { selects } = options;
  const { judged, notes } = judge(differencesOf(compared, selects), {
    target: settings.name,
    settings: settings.drift,
    today: at.slice(0, 'YYYY-MM-DD'.length),
    addresses: addressesOf(compared),
  });
  const { items, sightings } = sighted(before, judged, {
    at,
    applied: lastApplied(compared.ledger),
    covers: (address) => selects(address as Address),
  });
  const report: DriftReport = reportOf({
    version: settings.apiVersion,
    target: settings.name,
    at,
    failOn,
    items,
    notes: [
      ...notes,
      ...newLedger(settings, planning),
      ...(note === null ? [] : [note]),
      ...lostSecrets(planning.plan?.notes ?? []),
    ],
    requests,
  });
  // Errors are those that the differences tell.
  const diagnostics = planning.diagnostics.filter(({ severity }) => severity !== 'error');
  return {
    look: { outcome: 'seen', report },
    sightings,
    diagnostics,
    basis: { prepared, planning },
  };
}

/** Whatever an ignore rule may be about. */
function addressesOf({ desired, ledger, live }: Comparison): readonly Address[] {
  return [
    ...desired.resources.map(({ address }) => address),
    ...ledger.bindings.keys(),
    ...Object.values(live.objects).flatMap((listed) => listed.map(({ kind, id }): Address => `${kind}/${id}`)),
  ];
}

/** A checkout without its ledger looks like a license that nobody has touched. */
function newLedger({ ledger }: TargetSettings, { isFirstRun }: Planning): readonly DriftNote[] {
  if (!isFirstRun) return [];
  const message = `the ledger ${ledger} is new, or was lost: until the next apply nobody can tell which side moved`;
  return [{ kind: 'ledger-new', message, source: null }];
}

/** No difference of the license, and yet nothing that should wait for the next apply. */
function lostSecrets(notes: readonly Note[]): readonly DriftNote[] {
  return notes.flatMap(({ kind, address, message }): readonly DriftNote[] =>
    kind === 'secret-lost' ? [{ kind, message: `${address}: ${message}`, source: null }] : [],
  );
}
