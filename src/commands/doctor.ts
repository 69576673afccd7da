// `chatform doctor`: everything that an apply will need of a target, looked at before anyone needs it. Writes nothing, anywhere.

import { stat } from 'node:fs/promises';
import { rescuedBeside } from '../apply/rescue.ts';
import { writeRefusal } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { Desired, Diagnostic, KindName } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import type { SecretsPlace, TargetSettings } from '../project/settings.ts';
import { doctorDocument } from '../render/documents.ts';
import { doctorText } from '../render/text/doctor.ts';
import { diagnose } from '../tasks/doctor/diagnose.ts';
import type { LedgerSeen, Observed, SinkSeen } from '../tasks/doctor/observed.ts';
import { type Examined, examine } from './examine.ts';
import { excerpted } from './planning.ts';
import { type Prepared, prepare, type TargetFlags } from './prepare.ts';
import { showDiagnostics } from './report.ts';
import { inspect } from './secrets/sink.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export async function doctor(flags: TargetFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const { settings, desired } = prepared;
  const files = { diagnostics: prepared.diagnostics, declared: desired === null ? null : countByKind(desired) };
  const seen = settings === null ? UNKNOWN_TARGET : await observe({ ...prepared, settings }, flags, terminal);
  const diagnosis = diagnose({ ...seen, files, now: terminal.clock.now() });
  const diagnostics = [...prepared.diagnostics, ...problemsOf(seen, prepared)];
  showDiagnostics(diagnostics, terminal);
  terminal.out(
    flags.json === true
      ? doctorDocument(diagnosis, seen.subject, seen.requests, diagnostics)
      : doctorText(diagnosis, seen.requests, terminal.paintOut),
  );
  if (terminal.signal.aborted) return 130;
  return diagnosis.summary.problem > 0 ? 1 : 0;
}

type Looked = Awaited<ReturnType<typeof prepare>>;

/** What keeps the planner from planning. */
function problemsOf({ planned }: Seen, prepared: Looked): readonly Diagnostic[] {
  if (planned.status !== 'refused' || prepared.settings === null || prepared.desired === null) return [];
  const { desired, markOf } = prepared;
  return planned.diagnostics.map((problem) => excerpted(problem, desired, markOf));
}

type Seen = Omit<Observed, 'files' | 'now'> & Pick<Examined, 'requests'>;

const UNKNOWN_TARGET: Seen = {
  subject: null,
  ledger: null,
  sink: null,
  service: null,
  planned: { status: 'prevented', because: 'the target is not known', guess: null },
  requests: {},
};

function countByKind({ resources }: Desired): ReadonlyMap<KindName, number> {
  const counts = new Map<KindName, number>();
  for (const { kind } of resources) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

async function observe(
  { settings, desired, moved }: Pick<Prepared, 'settings' | 'desired' | 'moved'>,
  flags: TargetFlags,
  terminal: Terminal,
): Promise<Seen> {
  const { events, seen: ledger } = await lookAtLedger(settings.ledger);
  const sink = settings.secrets === null ? null : await lookAtSink(settings.secrets, settings, terminal);
  const { service, planned, requests } = await examine({ settings, desired, moved, events, flags }, terminal);
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
    requests,
  };
}

interface LedgerLook {
  /** Null when it cannot be read. */
  readonly events: readonly LedgerEvent[] | null;
  readonly seen: LedgerSeen;
}

async function lookAtLedger(path: string): Promise<LedgerLook> {
  const read = await orRefusal(() => fileLedger(path).read());
  const events = 'refusal' in read ? null : read.value;
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  const seen = {
    path,
    exists,
    owned: foldLedger(events ?? []).bindings.size,
    unreadable: 'refusal' in read ? read.refusal : null,
    unwritable: await writeRefusal(path),
  };
  return { events, seen };
}

async function lookAtSink(place: SecretsPlace, settings: TargetSettings, terminal: Terminal): Promise<SinkSeen> {
  const { type } = place;
  const seen = { type, name: type === 'command' ? place.argv[0] : place.path };
  const looked = await orRefusal(async () => ({
    rights: await inspect(place, settings, terminal),
    waiting: (await rescuedBeside(settings.ledger)).map(({ path }) => path),
  }));
  return 'refusal' in looked
    ? { ...seen, refusal: looked.refusal, rights: null, waiting: [] }
    : { ...seen, refusal: null, ...looked.value };
}

/** What the disk refuses is a finding like any other. */
async function orRefusal<T>(look: () => Promise<T>): Promise<{ readonly value: T } | { readonly refusal: string }> {
  try {
    return { value: await look() };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { refusal: error.message };
  }
}
