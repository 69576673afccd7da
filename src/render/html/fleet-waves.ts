// The waves of a run on its page: a bar for each with what is done, and what its gates found.

import type { Wave } from '../../fleet/events.ts';
import type { FleetResults, WaveResults } from '../../fleet/log.ts';
import type { Gate } from '../../project/fleet-settings.ts';
import { folded, type Html, html, type MarkTone, mark, name } from '../../view/html/markup.ts';
import { timePart } from '../../view/html/shell.ts';
import { durationText, limitsText } from '../text/fleet.ts';

/** Targets on which a gate did not pass that are in sight. */
const LISTED = 10;

/** Units of a bar, and of the least part of it. */
const WIDTH = 1000;
const LEAST = 8;

interface Share {
  readonly word: string;
  readonly count: number;
  readonly tone: MarkTone;
  readonly sign: string;
}

export function wavesSection({ run, waves, finished, stopped }: FleetResults, at: string): Html {
  const isOver = finished || stopped !== null;
  const parts = run.spec.waves.flatMap((wave, index) => {
    const found = waves[index];
    return found === undefined ? [] : [wavePart(wave, found, isOver ? null : Date.parse(at))];
  });
  return html`
    <section aria-labelledby="waves">
      <h2 id="waves">Waves <span class="count">${run.spec.waves.length}</span></h2>
      ${parts}
    </section>`;
}

/** `now`: milliseconds since the epoch; null when the run is over. */
function wavePart(wave: Wave, results: WaveResults, now: number | null): Html {
  const { done, failed, unreachable, running, queued, open } = results;
  const shares: readonly Share[] = [
    { word: 'done', count: done.size, tone: 'add', sign: '✓' },
    { word: 'failed', count: failed.size, tone: 'destroy', sign: '!' },
    { word: 'unreachable', count: unreachable.size, tone: 'change', sign: '?' },
    { word: 'under way', count: running.size, tone: 'move', sign: '…' },
    { word: 'queued', count: queued.size, tone: 'calm', sign: '·' },
    { word: 'not begun', count: open.size, tone: 'calm', sign: '·' },
  ];
  const there = shares.filter(({ count }) => count > 0);
  return html`
    <div class="wave">
      <h3>${name(wave.name)} <span class="count">${wave.targets.length}</span></h3>
      ${barPart(there, wave.targets.length)}
      <p>${there.map(({ word, count, tone, sign }) => html`${mark(tone, sign, `${count} ${word}`)} `)}</p>
      <p class="faint">${rulesOf(wave)}${holdPart(wave, results, now)}</p>
      ${wave.gates.map((gate) => gatePart(gate, wave, results))}
    </div>`;
}

/** The words of the bar are next to it. */
function barPart(shares: readonly Share[], total: number): Html {
  const widths = shares.map(({ count }) => Math.max(LEAST, Math.round((count / total) * WIDTH)));
  const sum = widths.reduce((all, width) => all + width, 0);
  const widest = widths.indexOf(Math.max(...widths));
  let x = 0;
  const drawn = shares.map(({ word, count, tone }, index) => {
    const width = (widths[index] ?? 0) + (index === widest ? WIDTH - sum : 0);
    const part = html`<rect class="${tone}" x="${x}" y="0" width="${width}" height="10"><title>${count} ${word}</title></rect>`;
    x += width;
    return part;
  });
  return html`<svg class="progress" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}

function rulesOf(wave: Wave): string {
  const { targets, parallel, hold } = wave;
  const pace = targets.length > parallel ? `${parallel} at a time` : 'All at once';
  return [`${pace}${hold > 0 ? `, then held ${durationText(hold)}` : ''}.`, ...limitsText(wave)].join(' ');
}

/** Until when a wave that has ended is held. */
function holdPart({ hold }: Wave, { open, queued, running, lastEnd }: WaveResults, now: number | null): Html | null {
  if (now === null || lastEnd === null || open.size + queued.size + running.size > 0 || lastEnd + hold <= now)
    return null;
  return html` It is held until ${timePart(new Date(lastEnd + hold).toISOString())}.`;
}

function gatePart(gate: Gate, { targets }: Wave, results: WaveResults): Html {
  const found = targets.flatMap((target) => results.gate(gate, target) ?? []);
  const refused = found.filter(({ passed }) => !passed);
  const passed = found.length - refused.length;
  const said = `gate ${gate}: ${found.length === 0 ? 'not checked' : `passed on ${passed} of ${results.done.size} done`}`;
  const [tone, sign] = lookOf(refused.length, passed, results);
  return html`
    <p>${mark(tone, sign, said)}</p>
    ${
      refused.length === 0
        ? null
        : folded(
            refused.map(
              ({ target, message }) =>
                html`did not pass on ${name(target)}${message === null ? null : html`<span class="remark">${message}</span>`}`,
            ),
            LISTED,
          )
    }`;
}

function lookOf(refused: number, passed: number, { done }: WaveResults): readonly [tone: MarkTone, sign: string] {
  if (refused > 0) return ['destroy', '!'];
  return passed > 0 && passed === done.size ? ['add', '✓'] : ['calm', '·'];
}
