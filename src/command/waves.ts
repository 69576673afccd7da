// What is said below the plans of several targets: the waves in which an apply takes them, and where they were saved.

import { fleetSpec } from '../many/spec.ts';
import { wavesText } from '../many/words.ts';
import { plain } from '../view/plain.ts';
import type { ChosenTargets } from './chosen-targets.ts';

export function wavesNote({ opened: { project }, scope }: ChosenTargets, out: string | undefined): string {
  if (scope.targets.length === 0) return '';
  const spec = fleetSpec(project.fleet, scope.targets);
  const waves = spec.waves.length > 1 || out !== undefined ? `Waves: ${plain(wavesText(spec))}\n` : '';
  if (out === undefined) return waves;
  return `${waves}Saved in ${plain(out)}: \`chatform apply ${plain(out)}\` does what these plans do.\n`;
}
