// The targets of a run on its page: a section for each state, the worst first. A long one is folded by names, so that a browser can open any page.

import type { FleetResults, TargetResult } from '../../fleet/log.ts';
import { type Html, html, type MarkTone, name, sizeOf } from '../../view/html/markup.ts';
import { timePart } from '../../view/html/shell.ts';
import { shortened } from '../../view/plain.ts';
import { type ShownState, shownState } from '../words/fleet.ts';
import { sharedMessages } from './fleet-messages.ts';

/** Targets in one fold. */
const TOGETHER = 500;

/** A run of at most so many targets has no folds. */
const FEW = 50;

/** Targets in sight where each deserves a look. */
const OPEN = 200;

/** Characters of one message. */
const LONGEST = 1200;

interface StateLook {
  readonly id: string;
  readonly title: string;
  readonly tone: MarkTone;
  /** Whether each of them deserves a look. */
  readonly urgent: boolean;
}

/** The worst first. */
const LOOKS: { readonly [state in ShownState]: StateLook } = {
  failed: { id: 'failed', title: 'Failed', tone: 'destroy', urgent: true },
  unreachable: { id: 'unreachable', title: 'Unreachable', tone: 'change', urgent: true },
  unknown: { id: 'unknown', title: 'Cut off', tone: 'change', urgent: true },
  differs: { id: 'differs', title: 'Differs', tone: 'change', urgent: true },
  running: { id: 'running', title: 'Under way', tone: 'move', urgent: true },
  queued: { id: 'queued', title: 'Queued', tone: 'calm', urgent: false },
  pending: { id: 'pending', title: 'Not begun', tone: 'calm', urgent: false },
  done: { id: 'done', title: 'Done', tone: 'add', urgent: false },
};

/** The targets in one state. */
export interface StateGroup extends StateLook {
  readonly state: ShownState;
  /** In the order of the alphabet. */
  readonly names: readonly string[];
}

/** Without those of no target. */
export function stateGroups({ targets }: FleetResults): readonly StateGroup[] {
  const names = new Map<ShownState, string[]>(Object.keys(LOOKS).map((state) => [state as ShownState, []]));
  for (const [target, result] of targets) names.get(shownState(result))?.push(target);
  return Array.from(names, ([state, own]) => ({ ...LOOKS[state], state, names: own.sort() })).filter(
    (group) => group.names.length > 0,
  );
}

/** `room`: bytes; the targets beyond it are counted. */
export function targetSections(results: FleetResults, groups: readonly StateGroup[], room: number): readonly Html[] {
  const waveOf = new Map(
    results.run.spec.waves.flatMap(({ name: wave, targets }) => targets.map((each) => [each, wave])),
  );
  const few = results.targets.size <= FEW;
  let left = room;
  return groups.map(({ id, title, state, names, urgent }) => {
    const rows: Html[] = [];
    for (const target of names) {
      const result = results.targets.get(target);
      if (result === undefined) continue;
      const row = rowPart(target, waveOf.get(target) ?? '', result);
      left -= sizeOf(row);
      if (left < 0) break;
      rows.push(row);
    }
    const more = names.length - rows.length;
    const open = few ? rows.length : urgent ? OPEN : 0;
    const tableOf = (from: number, to: number): Html => tablePart(title, state, rows.slice(from, to));
    return html`
      <section aria-labelledby="${id}">
        <h2 id="${id}">${title} <span class="count">${names.length}</span></h2>
        ${state === 'unknown' ? html`<p>Their process is gone, so it is not known how far they are. A resume begins them again.</p>` : null}
        ${state === 'failed' || state === 'unreachable' ? sharedMessages(names, results) : null}
        ${Math.min(open, rows.length) === 0 ? null : tableOf(0, open)}
        ${starts(open, rows.length).map((from) => html`<details class="more"><summary>${rangePart(names, from, Math.min(from + TOGETHER, rows.length))}</summary>${tableOf(from, from + TOGETHER)}</details>`)}
        ${more === 0 ? null : html`<p class="faint">and ${more} more; <code>chatform fleet status --json</code> has all of them</p>`}
      </section>`;
  });
}

function starts(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / TOGETHER)) }, (_, index) => from + index * TOGETHER);
}

function rangePart(names: readonly string[], from: number, to: number): Html {
  return html`${name(names[from] ?? '')} to ${name(names[to - 1] ?? '')} <span class="count">${to - from}</span>`;
}

function hasEnded(state: ShownState): boolean {
  return state === 'done' || state === 'differs' || state === 'failed' || state === 'unreachable';
}

function tablePart(title: string, state: ShownState, rows: readonly Html[]): Html {
  const columns = hasEnded(state)
    ? html`<th scope="col" class="number">Requests</th><th scope="col" class="number">Seconds</th>`
    : state === 'pending' || state === 'queued'
      ? null
      : html`<th scope="col">Begun</th>`;
  return html`
    <div class="scroll" role="region" aria-label="${title}" tabindex="0">
      <table class="targets">
        <thead><tr><th scope="col">Target</th><th scope="col">Wave</th><th scope="col" class="number">Attempt</th>${columns}</tr></thead>
        <tbody>${rows}</tbody>
      </table>
    </div>`;
}

function rowPart(target: string, wave: string, result: TargetResult): Html {
  const { state, attempt, end } = result;
  const said = end?.message ?? null;
  const message = said === null ? null : `${hasEnded(state) ? '' : 'Before: '}${shortened(said, LONGEST)}`;
  return html`<tr><th scope="row">${name(target)}${message === null ? null : html`<span class="remark">${message}</span>`}</th><td>${wave}</td><td class="number">${attempt}</td>${resultCells(result)}</tr>`;
}

function resultCells({ state, begun, end }: TargetResult): Html | null {
  if (hasEnded(state) && end !== null)
    return html`<td class="number">${end.requests}</td><td class="number">${Math.round(end.seconds * 10) / 10}</td>`;
  return state === 'pending' || state === 'queued' || begun === null ? null : html`<td>${timePart(begun)}</td>`;
}
