// An undo and the run that it takes back in; what a person reads of it, and what a document has of it, out. Decides nothing.

import type { Plan } from '../plan/plan.ts';
import type { Ruling, Verdict } from '../tasks/undo/ruling.ts';
import type { UndoableRun } from '../tasks/undo/runs.ts';
import type { Undoing } from '../tasks/undo/undo.ts';
import type { Members } from './documents.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';
import { planText } from './plan-text.ts';

const WORDS: { readonly [verdict in Verdict]: string } = {
  reversible: 'reversible',
  lossy: 'lossy',
  irreversible: 'irreversible',
  as_before: 'as before',
  left_out: 'left out',
};

const TONES = {
  reversible: 'add',
  lossy: 'warning',
  irreversible: 'error',
  as_before: 'faint',
  left_out: 'warning',
} as const satisfies { readonly [verdict in Verdict]: Parameters<Paint>[0] };

/** Which run, how far each change can be taken back, and the plan that does it. */
export function undoText(run: UndoableRun, undoing: Undoing, paint: Paint): string {
  const { rulings, orderChangedSince, plan } = undoing;
  const order = orderChangedSince ? ['  the order of the rules: changed since, so it stays as it is'] : [];
  const nothing = `${paint('strong', 'Nothing to undo.')} ${rulings.some(isLeft) ? 'What could be taken back is left out.' : 'The license is as it was before that run, as far as it can be.'}\n`;
  return [
    `${paint('strong', `Undo of ${plain(nameOf(run))}:`)}`,
    ...rulings.flatMap((ruling) => rulingLines(ruling, paint)),
    ...order,
    '',
    plan.steps.length === 0 ? nothing : planText(shownPlan(plan), paint),
  ].join('\n');
}

function isLeft({ verdict }: Ruling): boolean {
  return verdict === 'left_out';
}

function nameOf({ id, at, command, outcome }: UndoableRun): string {
  const what = command === null ? 'a run that never ended' : `${command}, ${outcome}`;
  return `run ${id.slice(0, 8)} (${what}, ${new Date(at).toISOString().slice(0, 19)}Z)`;
}

function rulingLines({ address, verdict, reasons }: Ruling, paint: Paint): readonly string[] {
  const word = paint(TONES[verdict], WORDS[verdict].padEnd(12));
  const [first, ...others] = reasons.map(plain);
  const head = `  ${word}  ${plain(address)}${first === undefined ? '' : `: ${first}`}`;
  return [head, ...others.map((reason) => `${' '.repeat(16)}${reason}`)];
}

/** What else is on the license is none of an undo's business. */
export function shownPlan(plan: Plan): Plan {
  return { ...plan, unmanaged: [] };
}

/** After it was done. */
export function afterUndoText({ rulings, orderChangedSince, plan }: Undoing): string {
  if (plan.steps.length === 0) return '';
  const left = [
    ...rulings.filter(isLeft).map(({ address, reasons }) => `  ${[address, reasons.join('; ')].map(plain).join(': ')}`),
    ...(orderChangedSince ? ['  the order of the rules: changed since'] : []),
  ];
  const inPart = left.length === 0 ? [] : ['Left out, hence exit code 6:', ...left];
  return [
    ...inPart,
    'The manifest still says what was undone: change it too, or the next apply makes it so again.',
    '',
  ].join('\n');
}

/** What the document has beside the plan. */
export function undoMembers({ id, at, command, outcome }: UndoableRun, undoing: Undoing): Members {
  const { rulings, orderChangedSince } = undoing;
  return { undo: { run: id, at, command, outcome, verdicts: rulings, order_changed_since: orderChangedSince } };
}
