// What a run over several targets says of itself while it works: waves that begin, gates, and what it waits for.

import { capital } from '../base/text.ts';
import type { DriveOptions } from '../many/drive.ts';
import { holdText, passedText, refusedText, waveText } from '../many/words.ts';
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
    onEvent: (event, { run, waves }) => {
      if (event.type === 'started') {
        const wave = run.spec.waves.find(({ targets }) => targets.includes(event.target));
        if (wave !== undefined && run.spec.waves.length > 1) say(waveText(wave));
      }
      if (event.type !== 'gate') return;
      if (!event.passed) return say(capital(refusedText(event)));
      const of = waves[run.spec.waves.findIndex(({ name }) => name === event.wave)];
      const done = [...(of?.done ?? [])];
      if (done.every((target) => of?.gate(event.gate, target)?.passed === true))
        say(passedText(event, done.length, done.length));
    },
    onStep: (step) => {
      if (step.type === 'hold') say(holdText(step.wave, step.until, step.because));
    },
  };
}
