// Check of a target before it is needed: everything that an apply will need of it. Writes nothing, anywhere.

import { UsageError } from '../../base/errors.ts';
import { countedBy } from '../../base/grouped.ts';
import type { Desired, Diagnostic, KindName, LedgerState } from '../../base/model.ts';
import { ROUTED } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { lastApply } from '../../ledger/runs.ts';
import { accountOf, credentialOf } from '../../license/apis.ts';
import { customerSource } from '../../license/customer.ts';
import { isEmulated } from '../../license/transport.ts';
import { excerpted } from '../../planning/planning.ts';
import type { SecretsPlace, TargetSettings } from '../../project/settings.ts';
import { CUSTOMER } from '../../service/customer.ts';
import type { TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { type NoTarget, type Prepared, type PreparedFiles, prepare } from '../../target/prepare.ts';
import { rescueFilesOf } from '../../target/secrets/rescue.ts';
import { inspect } from '../../target/secrets/sink.ts';
import { isThere, ledgerOf, requireOneLease, writeRefusalAt } from '../../target/stores.ts';
import { limitFindings } from '../../yaml/diagnostics.ts';
import { requireWritable } from '../test/customer/chat.ts';
import type { MissingNeeds } from '../test/customer/needs.ts';
import { diagnose } from './diagnose.ts';
import type { LedgerSeen, Observed, SinkSeen } from './observed.ts';
import { type Examined, examine } from './read-service.ts';
import { readCustomerStage, readReportsStage } from './read-stages.ts';

export interface DoctorOptions {
  /** Ask one report. */
  readonly reports: boolean;
}

export async function checkTarget(target: TargetChoice, { reports }: DoctorOptions, context: RunContext) {
  const prepared = await prepare(target, context);
  const { settings, desired } = prepared;
  const files = { diagnostics: prepared.diagnostics, declared: desired === null ? null : countByKind(desired) };
  const seen = settings === null ? UNKNOWN_TARGET : await observe({ ...prepared, settings }, reports, context);
  return {
    value: diagnose({ ...seen, files, now: context.clock.now() }),
    diagnostics: limitFindings([...prepared.diagnostics, ...problemsOf(seen, prepared)]),
    requests: seen.requests,
  };
}

/** Why the planner could not plan, or what is wrong with the license after its plan. */
function problemsOf({ planned }: SeenTarget, prepared: PreparedFiles | NoTarget): readonly Diagnostic[] {
  if (planned.status === 'planned') return planned.diagnostics;
  if (planned.status !== 'refused' || prepared.settings === null || prepared.desired === null) return [];
  const { desired, markOf } = prepared;
  return planned.diagnostics.map((problem) => excerpted(problem, desired, markOf));
}

type SeenTarget = Omit<Observed, 'files' | 'now'> & Pick<Examined, 'requests'>;

const UNKNOWN_TARGET: SeenTarget = {
  subject: null,
  ledger: null,
  sink: null,
  service: null,
  customers: null,
  reports: null,
  otherVersions: null,
  planned: { status: 'prevented', because: 'the target is not known', guess: null },
  requests: {},
};

function countByKind({ resources }: Desired): ReadonlyMap<KindName, number> {
  return countedBy(resources, ({ kind }) => kind);
}

async function observe(prepared: Prepared, asksReport: boolean, context: RunContext): Promise<SeenTarget> {
  const { settings, desired, routes } = prepared;
  const { events, seen: ledger } = await readLedger(settings, context);
  const sink = settings.secrets === null ? null : await readSink(settings.secrets, settings, context);
  const { service, planned, requests } = await examine({ prepared, events, choice: {} }, context);
  const customers = missingNeeds({ settings, desired, routes }, foldLedger(events ?? []), context);
  const customer = await readCustomerStage(settings, customers, service, context);
  const reports = await readReportsStage(settings, asksReport, context);
  return {
    subject: {
      target: settings.name,
      baseUrl: settings.baseUrl,
      version: settings.apiVersion,
      tokenEnv: settings.tokenEnv,
      credential: settings.accountId === null ? 'bearer' : 'basic',
    },
    ledger,
    sink,
    service,
    planned,
    customers,
    reports: reports.seen,
    otherVersions: { customer: customer.version, reports: reports.version },
    requests: { ...requests, ...customer.requests, ...reports.requests },
  };
}

/** What `test --on customer` lacks of a target. Sends nothing. */
function missingNeeds(
  { settings, desired, routes }: Pick<Prepared, 'settings' | 'desired' | 'routes'>,
  { bindings }: LedgerState,
  context: RunContext,
): MissingNeeds {
  const refusal = (check: () => unknown): string | null => {
    try {
      check();
      return null;
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
  };
  const source = customerSource(settings, context);
  const groups = (desired?.resources ?? []).filter(({ kind }) => kind === ROUTED.name);
  const areKnown = groups.every(({ address, id }) => id !== null || bindings.has(address));
  return {
    account: refusal(() => accountOf(CUSTOMER, settings.customerApiVersion, settings)),
    routes: routes.length > 0 ? null : 'the manifest has no routes: add some under `routes:`',
    'group-ids':
      areKnown || refusal(() => credentialOf(settings, context)) === null
        ? null
        : `the ledger does not know every group: apply first, or set ${settings.tokenEnv}`,
    'customer-token': source.from === 'nowhere' && !isEmulated(settings) ? source.missing : null,
    'chat-mark': desired === null ? null : refusal(() => requireWritable(settings.chatMark, desired)),
  };
}

interface LedgerRead {
  /** Null when it cannot be read. */
  readonly events: readonly LedgerEvent[] | null;
  readonly seen: LedgerSeen;
}

async function readLedger(settings: TargetSettings, context: RunContext): Promise<LedgerRead> {
  const path = settings.ledger;
  const read = await orRefusal(async () => {
    await requireOneLease(path);
    return ledgerOf(settings, context).read();
  });
  const events = 'refusal' in read ? null : read.value;
  const there = await orRefusal(() => isThere(path, context));
  const seen = {
    path,
    exists: 'value' in there && there.value,
    owned: foldLedger(events ?? []).bindings.size,
    applied: lastApply(events ?? []),
    unreadable: 'refusal' in read ? read.refusal : null,
    unwritable: await writeRefusalAt(path, context),
  };
  return { events, seen };
}

async function readSink(place: SecretsPlace, settings: TargetSettings, context: RunContext): Promise<SinkSeen> {
  const { type } = place;
  const seen = { type, name: type === 'command' ? place.argv[0] : place.path };
  const found = await orRefusal(async () => ({
    rights: await inspect(place, settings, context),
    waiting: (await rescueFilesOf(settings.localPath)).map(({ path }) => path),
  }));
  return 'refusal' in found
    ? { ...seen, refusal: found.refusal, rights: null, waiting: [] }
    : { ...seen, refusal: null, ...found.value };
}

/** The result, or the disk's refusal: that is a finding like any other. */
async function orRefusal<T>(read: () => Promise<T>): Promise<{ readonly value: T } | { readonly refusal: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { refusal: error.message };
  }
}
