// A subject in; the Markdown of a comment out, within a budget of bytes. What matters most gets its room first, so that what matters least is cut first:
// folds of what is left alone, notes, diffs, findings, rows of the table, vetoes; the title, the counts, the dangers, the next step and the digest stay.

import { code } from '../markdown-text.ts';
import { BUDGET, bytes } from './budget.ts';
import { cautionBlock } from './caution.ts';
import { byDanger, changeDiffs, changeTable, isTold } from './changes.ts';
import { closing } from './closing.ts';
import { overwrittenFold } from './drift.ts';
import { findingList } from './findings.ts';
import { againstBlock, countsLine, originLine, stateLine, titleOf } from './heading.ts';
import type { Planned, Subject } from './subject.ts';
import { driftFold, findingFold, noteFold } from './surroundings.ts';
import { vetoList } from './vetoes.ts';
import { cut } from './words.ts';

/** Of what is left, so that one part does not take the room of all that follow. */
const SHARES = {
  cautions: 0.8,
  vetoes: 0.5,
  table: 0.6,
  findings: 0.5,
  diffs: 0.8,
  overwritten: 0.5,
  notes: 0.5,
  drift: 1,
} as const;

const LONGEST_MESSAGE = 2000;

export function commentMarkdown(subject: Subject, budget: number = BUDGET): string {
  const { of } = subject;
  const head = `${titleOf(subject)}${stateLine(subject)}`;
  const tail = `${originLine(subject)}${closing(subject)}`;
  if (of.outcome === 'failed') {
    const said = of.message === '' ? '' : `\n${code(cut(of.message, LONGEST_MESSAGE))}\n\n`;
    const room = budget - bytes(head) - bytes(said) - bytes(tail);
    return `${head}${said}${findingList(of.diagnostics, subject.origin, room)}${tail}`;
  }
  const opening = `${head}${againstBlock(of)}${countsLine(of)}`;
  const body = bodyOf(of, subject, budget - bytes(opening) - bytes(tail));
  return `${opening}${body}${tail}`;
}

function bodyOf(of: Planned, { origin }: Subject, budget: number): string {
  const { plan, diagnostics } = of;
  let left = budget;
  const part = (share: number, write: (room: number) => string): string => {
    const text = write(Math.floor(left * share));
    left -= bytes(text);
    return text;
  };
  const changes = byDanger(plan.resource_changes.filter(isTold));
  const cautions = part(SHARES.cautions, (room) => cautionBlock(of, origin, room));
  const vetoes = part(SHARES.vetoes, (room) => vetoList(plan, room));
  const table = part(SHARES.table, (room) => changeTable(changes, origin, room));
  const findings = part(SHARES.findings, (room) => findingFold(diagnostics, room));
  const diffs = part(SHARES.diffs, (room) => changeDiffs(changes, room));
  // Where not even all that changes is shown, what does not change has no place.
  const isWhole = diffs === changeDiffs(changes, Number.POSITIVE_INFINITY);
  const overwritten = part(SHARES.overwritten, (room) => overwrittenFold(plan, room));
  const notes = part(isWhole ? SHARES.notes : 0, (room) => noteFold(plan, room));
  const drift = part(isWhole ? SHARES.drift : 0, (room) => driftFold(plan, room));
  return [cautions, vetoes, table, diffs, overwritten, findings, notes, drift].join('');
}
