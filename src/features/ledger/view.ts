// The terminal text of ledgers and leases: what is owned, what happened, who holds a target, and what a repair would do.

import type { Spec } from '../../base/model.ts';
import { counted, holderText } from '../../base/text.ts';
import type { Holding, NamedIntent } from '../../ledger/history.ts';
import type { LeaseHolder } from '../../ledger/lease.ts';
import type { Migrated } from '../../ledger/postgres/migrate.ts';
import type { Happening } from '../../ledger/runs.ts';
import type { FoundLease } from '../../target/lock.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, shortId, time } from '../../view/plain.ts';
import { headedTable, INDENT, linesByRow, table } from '../../view/terminal/layout.ts';
import { timesText } from '../../view/terminal/notice.ts';
import type { MovedLedger } from './move-operation.ts';

function holdingRow({ address, id, origin, since, last_applied: applied }: Holding): readonly string[] {
  return [plain(address), plain(String(id)), origin, time(since), applied === null ? 'never' : time(applied)];
}

function intentRow({ address, operation, at }: NamedIntent): readonly string[] {
  return [plain(address), operation, time(at)];
}

/** `ledger show`. */
export function holdingsText(
  path: string,
  holdings: readonly Holding[],
  intents: readonly NamedIntent[],
  paint: Paint,
): string {
  return [
    ...(holdings.length === 0
      ? [`The ledger ${plain(path)} owns no objects.`]
      : headedTable([['ADDRESS', 'ID', 'ORIGIN', 'OWNED SINCE', 'LAST APPLIED'], ...holdings.map(holdingRow)], paint)),
    ...(intents.length === 0
      ? []
      : [
          '',
          paint('warning', 'Sent, with a result that is not known yet:'),
          ...table(intents.map(intentRow), paint.width, INDENT),
          '  The next apply finds out whether it arrived before it sends it again.',
        ]),
    '',
  ].join('\n');
}

/** `ledger log`. */
export function logText(path: string, happenings: readonly Happening[], paint: Paint): string {
  if (happenings.length === 0) return `Nothing has happened yet in ${plain(path)}.\n`;
  const rows = happenings.map(({ run, event }) => [
    time(event.type === 'unknown' ? String(event.event['at']) : event.at),
    shortId(run ?? '-'),
    plain(eventText(event)),
  ]);
  const lines = linesByRow(rows, paint.width).flatMap((own, index) =>
    ['run', 'killed'].includes(happenings[index]?.event.type ?? '') ? own.map((line) => paint('faint', line)) : own,
  );
  return `${lines.join('\n')}\n`;
}

const BOUND = { created: 'was created, as', adopted: 'was adopted:', imported: 'was imported:' } as const;
const DONE = { refused: 'was refused', unknown: 'was given up: it is not known whether it arrived' } as const;

const SECRET = {
  kept: 'is in the sink',
  rescued: 'is in a rescue file',
  lost: 'is lost: it has to be reset',
} as const;

const TOKEN = {
  asked: 'was asked for, and whether it was issued is not recorded',
  kept: 'is in the sink',
  lost: 'is lost',
  refused: 'was not issued',
} as const;

function fieldsText(spec: Spec): string {
  return JSON.stringify(spec).slice(0, 120);
}

function eventText(event: Happening['event']): string {
  switch (event.type) {
    case 'bound':
      return `${event.address} ${BOUND[event.origin]} ${event.id}`;
    case 'begun':
      return `${event.command} is about to change the license`;
    case 'applied': {
      const fields = [...Object.keys(event.spec), ...Object.keys(event.digests)];
      return `${event.address} was applied${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`;
    }
    case 'forgotten':
      return `${event.address} is no longer owned`;
    case 'moved':
      return `${event.from} is now called ${event.to}`;
    case 'intent':
      return `${event.address} is about to be sent: ${event.operation} (intent ${event.id})`;
    case 'done':
      return `intent ${event.intent} ${event.outcome === 'created' ? `has created ${event.created}` : DONE[event.outcome]}`;
    case 'before': {
      const state = event.spec === null ? 'did not exist' : `was ${fieldsText(event.spec)}`;
      return `${event.address} ${state}; a request for it is about to be sent`;
    }
    case 'remaking':
      return `${event.address} is about to be deleted and made again: ${fieldsText(event.spec)}`;
    case 'order':
      return `the order of ${event.order.length} ${event.kind} ${event.moment === 'before' ? 'was' : 'is now'}: ${event.order.join(', ')}`;
    case 'secret':
      return `the secret of ${event.address} (${event.id}) ${SECRET[event.state]}`;
    case 'token':
      return `a token of ${event.address} (${event.id}) until ${event.until} ${TOKEN[event.state]}`;
    case 'license':
      return `the ledger belongs to the license at ${event.base_url}`;
    case 'customer':
      return `customer ${event.entity_id} is the one whose eyes this project uses, for client ${event.client_id}`;
    case 'warned':
      return `an apply gave ${counted(event.lints.length, 'known warning')}`;
    case 'run':
      return `${event.command} ended: ${event.outcome}`;
    case 'killed':
      return `was killed${event.finished_by === null ? '' : `; run ${shortId(event.finished_by)} ended it`}`;
    case 'unknown':
      return `${event.event['type']}: an event that only a newer chatform understands`;
  }
}

/** What `ledger forget` would forget, and what that means. */
export function forgetQuestion(holdings: readonly Holding[], intents: readonly NamedIntent[], paint: Paint): string {
  const titled = (title: string, rows: readonly (readonly string[])[]): readonly string[] =>
    rows.length === 0 ? [] : [paint('strong', title), ...table(rows, paint.width, INDENT)];
  return [
    ...titled(`${counted(holdings.length, 'resource')} would no longer be owned:`, holdings.map(holdingRow)),
    ...titled(
      `${counted(intents.length, 'request')} would be given up, although it is not known whether it arrived:`,
      intents.map(intentRow),
    ),
    '',
    'Nothing on the license changes. Objects that the manifest does not declare stay there, unmanaged from now on.',
    'Declared objects are found by `id:` or natural key, or else created: see the next plan.',
  ].join('\n');
}

/** `ledger forget`. */
export function forgottenText(holdings: number, intents: number): string {
  const given = intents === 0 ? '' : `, and gave up ${counted(intents, 'request')}`;
  return `Forgot ${counted(holdings, 'resource')}${given}. Nothing on the license was changed.\n`;
}

/** `ledger compact`. */
export function compactedText(
  path: string,
  { before, after, since }: { readonly before: number; readonly after: number; readonly since: string },
): string {
  if (before === after) return `Nothing to compact in ${plain(path)}: ${counted(before, 'event')}.\n`;
  return `Compacted ${plain(path)}: ${counted(before, 'event')} became ${after}. Events since ${time(since)} are unchanged.\n`;
}

/** What `ledger repair` would move out of the log. */
export function repairQuestion(kept: number, damaged: number, aside: string): string {
  return [
    `${counted(damaged, 'line')} would be moved to ${plain(aside)}, and ${counted(kept, 'event')} kept.`,
    'The content of the damaged lines is not known then: an owned object may become unmanaged, or have its former id.',
    'If there is a good copy of the ledger, use that instead.',
  ].join('\n');
}

/** `ledger repair`. */
export function repairedText(path: string, kept: number, damaged: number, aside: string | null): string {
  if (aside === null) return `Nothing to repair in ${plain(path)}: ${counted(kept, 'event')}.\n`;
  return `Kept ${counted(kept, 'event')} and moved ${counted(damaged, 'line')} to ${plain(aside)}. Check a plan before the next apply.\n`;
}

/** One line, without its end. */
export function leaseText({ subject, state, record, openFrom }: FoundLease): string {
  const name = plain(`${subject.charAt(0).toUpperCase()}${subject.slice(1)}`);
  if (record === null) return `${name} is free: no run has held it yet.`;
  const holder = plain(holderText(record.holder));
  switch (state) {
    case 'free':
      return `${name} is free: ${holder} released it at ${plain(record.renewed)}.`;
    case 'held':
      return `${name} is held by ${holder} ${timesText(record, openFrom)}.`;
    case 'expired':
      return `${name} was held by ${holder} until ${plain(String(openFrom))}, and not released: the next run takes it.`;
  }
}

export function releasedText({ subject }: FoundLease, from: LeaseHolder): string {
  const rest = from.reason === undefined ? ' If that run is still alive, it sends nothing more.' : '';
  return `Released: ${plain(subject)} was held by ${plain(holderText(from))}.${rest}\n`;
}

/** `ledger migrate`. */
export function migratedText(database: string, { before, after, roles }: Migrated, hasEngine: boolean): string {
  const done =
    before === after
      ? `The tables in ${plain(database)} are up to date (version ${after}).`
      : `The tables in ${plain(database)} have version ${after} now${before === 0 ? '' : ` (before: ${before})`}.`;
  const missing =
    'The roles chatform_apply and chatform_read are missing: a user who may make roles has to run this once.';
  const engine = 'The tables of the engine are ready for `--workers`.';
  return `${done}\n${hasEngine ? `${engine}\n` : ''}${roles.length === 2 ? '' : `${missing}\n`}`;
}

/** `ledger move`. */
export function movedText(moved: readonly MovedLedger[]): string {
  return moved
    .map(({ target, to, events, leave_out }) => {
      const done =
        events === null
          ? `${plain(target)}: nothing to move; its ledger is in ${plain(to)}, or has not begun.\n`
          : `${plain(target)}: moved ${counted(events, 'event')} to ${plain(to)}, and read them back the same.\n`;
      const edit = `${INDENT}Leave out \`${plain(leave_out ?? '')}\` of ${plain(target)} in chatform.yaml now: commands refuse to run until then.\n`;
      return leave_out === null ? done : `${done}${edit}`;
    })
    .join('');
}
