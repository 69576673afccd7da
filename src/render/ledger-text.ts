// What a ledger says, and what was done to it, in; tables and sentences for a person out. Decides nothing.

import type { Spec } from '../base/model.ts';
import { counted } from '../base/text.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import type { Happening, Holding, NamedIntent } from '../ledger/history.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

/** To the second, in UTC. */
function time(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

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
  const [head = '', ...lines] = table([
    ['ADDRESS', 'ID', 'ORIGIN', 'OURS SINCE', 'LAST APPLIED'],
    ...holdings.map(holdingRow),
  ]);
  return [
    ...(holdings.length === 0 ? [`Nothing is ours in ${plain(path)}.`] : [paint('strong', head), ...lines]),
    ...(intents.length === 0
      ? []
      : [
          '',
          paint('warning', 'Sent, and nobody knows yet whether it arrived:'),
          ...table(intents.map(intentRow), '  '),
          '  The next apply finds out before it sends anything of it again.',
        ]),
    '',
  ].join('\n');
}

/** `ledger history`. */
export function historyText(path: string, happenings: readonly Happening[], paint: Paint): string {
  if (happenings.length === 0) return `Nothing has happened yet in ${plain(path)}.\n`;
  const rows = happenings.map(({ run, event }) => [
    time(event.type === 'unknown' ? String(event.event['at']) : event.at),
    plain(run ?? '-').slice(0, 8),
    plain(words(event)),
  ]);
  const lines = table(rows).map((line, index) =>
    happenings[index]?.event.type === 'run' ? paint('faint', line) : line,
  );
  return `${lines.join('\n')}\n`;
}

const BOUND = { created: 'was created, as', adopted: 'was adopted:', imported: 'was imported:' } as const;
const DONE = { refused: 'was refused', unknown: 'was given up: nobody knows whether it arrived' } as const;

const SECRET = {
  kept: 'is in the sink',
  rescued: 'is in a rescue file',
  lost: 'is known to nobody: it has to be reset',
} as const;

function fieldsOf(spec: Spec): string {
  return JSON.stringify(spec).slice(0, 120);
}

function words(event: LedgerEvent): string {
  switch (event.type) {
    case 'bound':
      return `${event.address} ${BOUND[event.origin]} ${event.id}`;
    case 'applied': {
      const fields = [...Object.keys(event.spec), ...Object.keys(event.digests)];
      return `${event.address} was applied${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`;
    }
    case 'forgotten':
      return `${event.address} is not ours any more`;
    case 'moved':
      return `${event.from} is called ${event.to} now`;
    case 'intent':
      return `${event.address} is about to be sent: ${event.operation} (intent ${event.id})`;
    case 'done':
      return `intent ${event.intent} ${event.outcome === 'created' ? `has created ${event.created}` : DONE[event.outcome]}`;
    case 'before':
      return event.spec === null
        ? `${event.address} did not exist; a request for it is about to be sent`
        : `${event.address} was ${fieldsOf(event.spec)}; a request for it is about to be sent`;
    case 'remaking':
      return `${event.address} is about to be deleted and made again: ${fieldsOf(event.spec)}`;
    case 'order':
      return `the order of ${event.order.length} ${event.kind} ${event.moment === 'before' ? 'was' : 'is now'}: ${event.order.join(', ')}`;
    case 'secret':
      return `the secret of ${event.address} (${event.id}) ${SECRET[event.state]}`;
    case 'run':
      return `${event.command} ended: ${event.outcome}`;
    case 'unknown':
      return `${event.event['type']}: something that only a newer chatform understands`;
  }
}

/** What is about to be forgotten, and what that means. */
export function forgetQuestion(holdings: readonly Holding[], intents: readonly NamedIntent[], paint: Paint): string {
  return [
    ...(holdings.length === 0
      ? []
      : [
          paint('strong', `${counted(holdings.length, 'resource')} would not be ours any more:`),
          ...table(holdings.map(holdingRow), '  '),
        ]),
    ...(intents.length === 0
      ? []
      : [
          paint(
            'strong',
            `${counted(intents.length, 'request')} would be given up, of which nobody knows whether it arrived:`,
          ),
          ...table(intents.map(intentRow), '  '),
        ]),
    '',
    'Nothing on the license changes. What the manifest does not declare stays there, and is left alone from now on.',
    'What it declares is looked for by `id:` and natural key, and created when it is not found: see the next plan.',
  ].join('\n');
}

/** `ledger forget`. */
export function forgottenText(holdings: number, intents: number): string {
  const given = intents === 0 ? '' : `, and gave ${counted(intents, 'request')} up`;
  return `Forgot ${counted(holdings, 'resource')}${given}. Nothing on the license was changed.\n`;
}

/** `ledger compact`. */
export function compactedText(
  path: string,
  { before, after }: { readonly before: number; readonly after: number },
  since: string,
): string {
  if (before === after) return `Nothing to compact in ${plain(path)}: ${counted(before, 'event')}.\n`;
  return `Compacted ${plain(path)}: ${counted(before, 'event')} became ${after}. What happened since ${time(since)} is as it was.\n`;
}

/** What is about to be moved out of the log. */
export function repairQuestion(kept: number, damaged: number, aside: string): string {
  return [
    `${counted(damaged, 'line')} would be moved to ${plain(aside)}, and ${counted(kept, 'event')} kept.`,
    'What the damaged lines said is not known then: an object may be a stranger that was ours, or have its former id.',
    'If there is a good copy of the ledger, take that instead.',
  ].join('\n');
}

/** `ledger repair`. */
export function repairedText(path: string, kept: number, damaged: number, aside: string | null): string {
  if (aside === null) return `Nothing to repair in ${plain(path)}: ${counted(kept, 'event')}.\n`;
  return `Kept ${counted(kept, 'event')} and moved ${counted(damaged, 'line')} to ${plain(aside)}. Look at a plan before the next apply.\n`;
}
