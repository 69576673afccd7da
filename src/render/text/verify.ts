// The terminal text of `verify`: what visitors and customers see of a license, next to what the files say.

import { counted } from '../../base/text.ts';
import type { Rehearsal } from '../../tasks/verify/chat.ts';
import type { Checked, CheckOutcome, CustomerView } from '../../tasks/verify/schema.ts';
import type { Paint, Tone } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { awaitedText, chatTrouble, costText, messageText, OUTCOMES, resultText, subjectText } from '../words/verify.ts';

const TONES: { readonly [outcome in CheckOutcome]: Tone } = {
  ok: 'add',
  differs: 'error',
  unseen: 'faint',
  reported: 'warning',
};

/** Widest columns of names: that of all checks, and that of a kind of check with longer names. A name beyond it moves the text of its own line only. */
const WIDEST = { shared: 48, own: 80 } as const;

const OUTCOME_WIDTH = Math.max(...Object.values(OUTCOMES).map(({ length }) => length));

const PLURALS: { readonly [check in Checked['check']]?: string } = { property: 'properties', status: 'statuses' };

/** From so many on, checks that are unseen for one reason are one line. */
const MANY = 3;

/** All checks, by who asked; `quiet` leaves only what differs, and a chat that was not ended. */
export function verifyText(view: CustomerView, { quiet }: { readonly quiet: boolean }, paint: Paint): string {
  const { checks, requests, token } = view;
  const trouble = chatTrouble(view);
  const warning = trouble === null ? [] : [`${paint('warning', 'Warning:')} ${trouble}`];
  if (quiet) {
    const differing = checks.filter(({ outcome }) => outcome === 'differs');
    return lines([...rows(differing, paint), ...warning]);
  }
  const asVisitor = checks.filter(({ as }) => as === 'visitor');
  const asCustomer = checks.filter(({ as }) => as === 'customer');
  const awaited = awaitedText(view);
  return lines([
    ...part(
      `As a visitor, ${counted(requests.visitor, 'request')}${token === 'none' ? ' without a token' : ''}:`,
      asVisitor,
      paint,
    ),
    ...part(`As a customer, ${counted(requests.customer, 'request')}:`, asCustomer, paint),
    ...(awaited === null ? [] : [`${awaited}.`]),
    ...warning,
    `${paint('strong', resultText(view))}. ${costText(view)}.`,
  ]);
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

function part(title: string, checks: readonly Checked[], paint: Paint): readonly string[] {
  return checks.length === 0 ? [] : [title, ...rows(checks, paint).map((row) => `  ${row}`)];
}

interface Row {
  readonly check: Checked['check'];
  readonly outcome: CheckOutcome;
  readonly subject: string;
  readonly text: string;
  readonly place: string;
}

function rows(checks: readonly Checked[], paint: Paint): readonly string[] {
  const all = joined(checks);
  const widthOf = nameWidths(all);
  return all.map(({ check, outcome, subject, text, place }) => {
    const label = OUTCOMES[outcome];
    const gap = ' '.repeat(OUTCOME_WIDTH - label.length);
    return `${paint(TONES[outcome], label)}${gap} ${subject.padEnd(widthOf(check))}  ${text}${place === '' ? '' : `  ${paint('faint', place)}`}`;
  });
}

/** The address of a property has the id of a client in it, so that it stands in a column with its own kind. */
function nameWidths(all: readonly Row[]): (check: Row['check']) => number {
  const long = new Set(all.flatMap(({ check, subject }) => (subject.length > WIDEST.shared ? [check] : [])));
  const widest = (those: readonly Row[], most: number): number =>
    Math.max(0, ...those.map(({ subject }) => subject.length).filter((width) => width <= most));
  const shared = widest(
    all.filter(({ check }) => !long.has(check)),
    WIDEST.shared,
  );
  return (check) =>
    long.has(check)
      ? widest(
          all.filter((row) => row.check === check),
          WIDEST.own,
        )
      : shared;
}

/** Checks that cannot be seen for one reason stand together, where the first of them stood. */
function joined(checks: readonly Checked[]): readonly Row[] {
  const same = (one: Checked, other: Checked): boolean => one.check === other.check && one.message === other.message;
  return checks.flatMap((each): readonly Row[] => {
    const { check, outcome, source } = each;
    const place = outcome === 'differs' && source !== null ? plain(`${source.file}:${source.line}`) : '';
    const row = { check, outcome, subject: subjectText(each), text: messageText(each), place };
    if (outcome !== 'unseen') return [row];
    const group = checks.filter((other) => other.outcome === 'unseen' && same(each, other));
    if (group.length < MANY) return [row];
    return group[0] === each ? [{ ...row, subject: counted(group.length, each.check, PLURALS[each.check]) }] : [];
  });
}

/** What a rehearsed chat leaves, before it begins. */
export function rehearsalQuestion(
  { name, route, mark }: Rehearsal,
  { target, leaves }: { readonly target: string; readonly leaves: readonly string[] },
  paint: Paint,
): string {
  return [
    paint('strong', `Target ${plain(target)}`),
    `A customer begins a chat from ${plain(route.when.url)}, for the route ${plain(name)}, and ends it.`,
    'It asks for no agent (routing.ignore_agents_routing), and this cannot be taken back:',
    ...leaves.map((each) => `  ${each}`),
    `The thread is marked: ${plain(mark.property)} is ${JSON.stringify(plain(mark.value))}.`,
  ].join('\n');
}
