// The terminal text of an undo: how far each change of a run can be taken back, and the plan that does it.

import { groupedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { RecordedRun } from '../../ledger/runs.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PlannedUndo } from '../../run/undo.ts';
import type { ResourceUndo, Undoing } from '../../tasks/undo/undo.ts';
import type { Paint, Tone } from '../../view/paint.ts';
import { plain, time } from '../../view/plain.ts';
import { shortId } from '../words/history.ts';

const TONES: { readonly [verdict in ResourceUndo['verdict']]: Tone } = {
  reversible: 'add',
  lossy: 'warning',
  irreversible: 'error',
  as_before: 'faint',
  left_out: 'warning',
};

const ORDER_CHANGED = 'the order of the rules: changed since';

/** More rulings of one word without a reason are counted, because the plan below shows their objects. */
const MOST_NAMED = 5;

/** What stands above the plan that does it. With details, and in a pipe, each object is named. */
export function undoText(
  { run, begun, next }: Omit<PlannedUndo, 'undoing'>,
  { rulings, orderChangedSince, plan }: Undoing,
  paint: Paint,
  details: boolean,
): string {
  const nothing =
    rulings.some(isLeftOut) || orderChangedSince
      ? `${paint('strong', `Nothing of ${namesOf([run.id])} can be taken back:`)} each of its changes is ${labelsOf(rulings)}.`
      : `${paint('strong', 'Nothing to undo.')} The license is as it was before that run, as far as possible.`;
  const other = next === null ? [] : [`Next: \`chatform undo ${shortId(next)}\` takes back an earlier run.`];
  return [
    `${paint('strong', `Undo of ${plain(nameOf(run))}:`)}`,
    ...(run.finished.length === 0 ? [] : [`  with ${namesOf(run.finished)}, which it finished`]),
    ...(begun === null
      ? []
      : [`  goes on with ${namesOf([...begun.finished, begun.id])}, which did not come to an end`]),
    ...(details || paint.width === undefined ? rulings.map((ruling) => [ruling] as const) : alike(rulings)).flatMap(
      (same) => rulingLines(same, paint),
    ),
    ...(orderChangedSince ? [`  ${ORDER_CHANGED}, so it is not restored`] : []),
    '',
    ...(plan.steps.length === 0 ? [nothing, ...other, ''] : ['']),
  ].join('\n');
}

function isLeftOut({ verdict }: ResourceUndo): boolean {
  return verdict === 'left_out';
}

/** `left out`, `left out or as before`. */
function labelsOf(rulings: readonly ResourceUndo[]): string {
  const labels = new Set(
    rulings
      .filter(isLeftOut)
      .concat(rulings)
      .map(({ verdict }) => labelOf(verdict)),
  );
  return [...labels].join(' or ');
}

function labelOf(verdict: ResourceUndo['verdict']): string {
  return verdict.replace('_', ' ');
}

function nameOf({ id, at, command, outcome }: RecordedRun): string {
  const what = `${command}, ${outcome ?? 'killed'}`;
  return `${namesOf([id])} (${what}, ${time(at)})`;
}

function namesOf(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'run' : 'runs'} ${ids.map(shortId).join(', ')}`;
}

type Alike = readonly [ResourceUndo, ...ResourceUndo[]];

/** Each ruling alone, but many that say the same together, where the first of them stands. */
function alike(rulings: readonly ResourceUndo[]): readonly Alike[] {
  const calm = groupedBy(
    rulings.filter(({ reasons }) => reasons.length === 0),
    ({ verdict }) => verdict,
  );
  return rulings.flatMap((ruling): readonly Alike[] => {
    const same = ruling.reasons.length > 0 ? undefined : calm.get(ruling.verdict);
    if (same === undefined || same.length <= MOST_NAMED) return [[ruling]];
    return same[0] === ruling ? [same] : [];
  });
}

function rulingLines([{ address, verdict, reasons }, ...same]: Alike, paint: Paint): readonly string[] {
  const word = paint(TONES[verdict], labelOf(verdict).padEnd(12));
  const [first, ...others] = reasons.map(plain);
  const what = same.length === 0 ? plain(address) : counted(same.length + 1, 'object');
  const head = `  ${word}  ${what}${first === undefined ? '' : `: ${first}`}`;
  return [head, ...others.map((reason) => `${' '.repeat(16)}${reason}`)];
}

/** An undo says nothing of objects that no run changed. */
export function withoutUnmanaged(plan: Plan): Plan {
  return { ...plan, unmanaged: [] };
}

/** What a person must know after an undo; empty when nothing was done. */
export function afterUndoText({ rulings, orderChangedSince, plan }: Undoing): string {
  if (plan.steps.length === 0) return '';
  const left = [
    ...rulings
      .filter(isLeftOut)
      .map(({ address, reasons }) => `  ${[address, reasons.join('; ')].map(plain).join(': ')}`),
    ...(orderChangedSince ? [`  ${ORDER_CHANGED}`] : []),
  ];
  return [
    ...(left.length === 0
      ? []
      : ['Left out (exit code 6):', ...left, 'To change these as well, change the manifest and apply.']),
    'Undo changes no files. The next apply makes the license as they declare it, so change them where they differ.',
    '',
  ].join('\n');
}
