// The view of an undo: how far each change of a run can be taken back, the plan that does it, and how it ended.

import { groupedBy } from '../../base/grouped.ts';
import { few } from '../../base/text.ts';
import type { UndoRequest } from '../../ledger/footprint.ts';
import type { RecordedRun } from '../../ledger/runs.ts';
import type { Plan } from '../../plan/plan.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import type { Block, Row, Section, Span, Table, Text, Tone, View } from '../../view/blocks.ts';
import { shortId, time } from '../../view/plain.ts';
import { undoCommand } from '../../view/words/commands.ts';
import type { ApplyEnd } from '../apply/report.ts';
import { applyView } from '../apply/view.ts';
import { planView, sharedBlocks } from '../plan/view.ts';
import type { ResourceUndo } from './undo.ts';

/** What an undo would do. */
export interface PlannedUndoing extends UndoRequest {
  readonly plan: Plan;
  readonly resources: readonly ResourceUndo[];
  /** The rules were moved after the run, so their order stays unchanged. */
  readonly orderChangedSince: boolean;
  /** Id of the run that can be undone instead; null where there is none, or this one can be undone. */
  readonly next: string | null;
}

export interface ShownUndo extends PlannedUndoing {
  /** `planned`: nothing was sent, because nothing was to be sent, or it was not asked for. */
  readonly end: { readonly type: 'planned' } | Exclude<ApplyEnd, { readonly type: 'mismatch' }>;
}

const TONES: { readonly [outcome in ResourceUndo['outcome']]: Tone } = {
  reversible: 'add',
  lossy: 'warning',
  irreversible: 'error',
  as_before: 'faint',
  left_out: 'warning',
};

const ORDER_CHANGED = 'the order of the rules: changed since';

/** More resources of one word without a reason are counted, because the plan below shows their objects. */
const MOST_NAMED = 5;

/** What it would do. */
export function undoPreview(of: PlannedUndoing): View {
  const { plan } = of;
  const view = planView(reviewed(plan, [], null));
  const isIdle = plan.steps.length === 0;
  return {
    title: ['Undo of ', { text: plan.target, as: 'name' }],
    mark: isIdle ? { sign: '✓', word: 'nothing to undo', tone: 'calm' } : view.mark,
    result: isIdle ? nothingText(of) : view.result,
    about: [],
    urgent: isIdle ? [] : (view.urgent ?? []),
    body: [resourcesSection(of), ...(isIdle ? [] : view.body)],
  };
}

export function undoView(undone: ShownUndo): View {
  const { end, plan } = undone;
  if (end.type === 'planned') return undoPreview(undone);
  const { urgent = [], ...view } = applyView('undo', { plan, end, customers: null });
  return { ...view, urgent: [...urgent, ...(end.type === 'ended' ? afterBlocks(undone) : [])] };
}

function nothingText({ plan, run, resources, orderChangedSince, next }: PlannedUndoing): Text {
  const nothing: readonly Span[] =
    resources.some(isLeftOut) || orderChangedSince
      ? [
          { text: `Nothing of ${namesOf([run.id])} can be taken back:`, tone: 'strong' },
          ` each of its changes is ${labelsOf(resources)}.`,
        ]
      : [
          { text: 'Nothing to undo.', tone: 'strong' },
          ' The license is as it was before that run, as far as possible.',
        ];
  return [
    ...nothing,
    ...(next === null
      ? []
      : [' Next: ', { text: undoCommand(plan.target, next), as: 'code' } as const, ' takes back an earlier run.']),
  ];
}

function resourcesSection(of: PlannedUndoing): Section {
  const { run, begun } = of;
  const texts: readonly Text[] = [
    ...(run.finished.length === 0 ? [] : [`with ${namesOf(run.finished)}, which it finished`]),
    ...(begun === null ? [] : [`goes on with ${namesOf([...begun.finished, begun.id])}, which did not come to an end`]),
  ];
  return {
    type: 'section',
    id: 'resources',
    title: `Undo of ${nameOf(run)}`,
    body: [...(texts.length === 0 ? [] : [{ type: 'list', texts } as const]), ...resourcesBlocks(of)],
    weight: 60,
  };
}

function resourcesBlocks({ resources, orderChangedSince }: PlannedUndoing): readonly Block[] {
  const table: Table = {
    type: 'table',
    columns: [{ title: 'Verdict' }, { title: 'What' }],
    rows: alike(resources).map(resourceRow),
  };
  return [
    ...(resources.length === 0 ? [] : [table]),
    ...(orderChangedSince ? [{ type: 'text', text: `${ORDER_CHANGED}, so it is not restored` } as const] : []),
  ];
}

/** What is read of it among the undos of other targets, which take back other runs of their ledgers. */
export function amongBlocks(undone: ShownUndo): readonly Block[] {
  const { end, plan } = undone;
  if (end.type === 'planned') return [...resourcesBlocks(undone), ...sharedBlocks(reviewed(plan, [], null))];
  const { urgent = [], body } = applyView('undo', { plan, end, customers: null });
  return [...urgent, ...(end.type === 'ended' ? leftOutBlocks(undone) : []), ...body];
}

/** What does not come back as it was, by how far; null where all of it does. */
export function shortfallText({ resources, orderChangedSince }: PlannedUndoing): string | null {
  const parts = (['left_out', 'irreversible', 'lossy'] as const).flatMap((outcome) => {
    const order = outcome === 'left_out' && orderChangedSince ? ['the order of the rules'] : [];
    const names = resources.filter((resource) => resource.outcome === outcome).map(({ address }) => address);
    return names.length + order.length === 0 ? [] : [`${labelOf(outcome)}: ${few([...names, ...order])}`];
  });
  return parts.length === 0 ? null : parts.join('; ');
}

type Alike = readonly [ResourceUndo, ...ResourceUndo[]];

/** Each resource alone, but many that say the same together, where the first of them stands. */
function alike(resources: readonly ResourceUndo[]): readonly Alike[] {
  const calm = groupedBy(
    resources.filter(({ reasons }) => reasons.length === 0),
    ({ outcome }) => outcome,
  );
  return resources.flatMap((resource): readonly Alike[] => {
    const same = resource.reasons.length > 0 ? undefined : calm.get(resource.outcome);
    if (same === undefined || same.length <= MOST_NAMED) return [[resource]];
    return same[0] === resource ? [same] : [];
  });
}

function resourceRow(same: Alike): Row {
  const [{ outcome, reasons }] = same;
  const [first, ...others] = reasons;
  const names = same.map(({ address }) => ({ text: address, as: 'address' }) as const);
  const what: Text = [{ names }, ...(first === undefined ? [] : [`: ${first}`])];
  return { cells: [{ text: labelOf(outcome), tone: TONES[outcome] }, what], remarks: others };
}

function isLeftOut({ outcome }: ResourceUndo): boolean {
  return outcome === 'left_out';
}

/** `left out`, `left out or as before`. */
function labelsOf(resources: readonly ResourceUndo[]): string {
  const labels = new Set(
    resources
      .filter(isLeftOut)
      .concat(resources)
      .map(({ outcome }) => labelOf(outcome)),
  );
  return [...labels].join(' or ');
}

function labelOf(outcome: ResourceUndo['outcome']): string {
  return outcome.replace('_', ' ');
}

function nameOf({ id, at, command, outcome }: RecordedRun): string {
  const what = `${command}, ${outcome ?? 'killed'}`;
  return `${namesOf([id])} (${what}, ${time(at)})`;
}

function namesOf(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'run' : 'runs'} ${ids.map(shortId).join(', ')}`;
}

/** What a person must know after an undo. */
function afterBlocks(of: PlannedUndoing): readonly Block[] {
  return [...leftOutBlocks(of), { type: 'text', text: NO_FILES }];
}

/** The files may still declare what was taken back. */
export const NO_FILES =
  'Undo changes no files. The next apply makes the license as they declare it, so change them where they differ.';

function leftOutBlocks({ resources, orderChangedSince }: PlannedUndoing): readonly Block[] {
  const left: readonly Text[] = [
    ...resources
      .filter(isLeftOut)
      .map(({ address, reasons }): Text => [{ text: address, as: 'address' }, `: ${reasons.join('; ')}`]),
    ...(orderChangedSince ? [ORDER_CHANGED] : []),
  ];
  if (left.length === 0) return [];
  const change = 'To change these as well, change the manifest and apply.';
  const body: readonly Block[] = [{ type: 'list', texts: left, remarks: [change] }];
  return [{ type: 'section', id: 'left-out', title: 'Left out (exit code 6)', tone: 'warning', body }];
}
