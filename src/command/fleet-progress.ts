// What a run over several targets says of itself while it works: waves that begin, gates, and what it waits for.

import { capital } from '../base/text.ts';
import type { DriveOptions } from '../many/drive.ts';
import { heirOf, isIdle } from '../many/next.ts';
import { holdText, idleText, passedText, refusedText, uncomparedText, waveText } from '../many/words.ts';
import { plain } from '../view/plain.ts';
import { showRemark } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Each line once, although a step is asked for again and again. */
export function fleetProgress(terminal: Terminal): Pick<DriveOptions, 'onEvent' | 'onStep'> {
  const said = new Set<string>();
  const say = (text: string): void => {
    if (!said.has(text)) showRemark(`${plain(text)}\n`, terminal);
    said.add(text);
  };
  return {
    onEvent: (event, results) => {
      const { run, waves } = results;
      if (event.type === 'started') {
        const wave = run.spec.waves.find(({ targets }) => targets.includes(event.target));
        if (wave !== undefined && run.spec.waves.length > 1) say(waveText(wave));
      }
      if (event.type === 'ended')
        for (const [nth, wave] of run.spec.waves.entries()) {
          const found = waves[nth];
          const isOwn = wave.targets.includes(event.target) && run.spec.waves.length > 1;
          if (isOwn && found !== undefined && isIdle(wave, found)) say(idleText(wave, heirOf(run.spec, results, nth)));
        }
      if (event.type !== 'gate') return;
      if (!event.passed) return say(capital(refusedText(event)));
      if (event.message !== null) say(uncomparedText(event));
      const of = waves[run.spec.waves.findIndex(({ name }) => name === event.wave)];
      const checked = [...(of?.done ?? [])].map((target) => of?.gate(event.gate, target) ?? null);
      if (!checked.every((each) => each?.passed === true)) return;
      const compared = checked.filter((each) => each?.message === null).length;
      if (compared > 0) say(passedText(event, compared, checked.length));
    },
    onStep: (step) => {
      if (step.type === 'hold') say(holdText(step.wave, step.until, step.because));
    },
  };
}
