// Situations of a run over several targets: its status as text and as a page, under way and stopped.

import { fleetRenderers } from '../../src/render/reports/fleet.ts';
import { runsText, statusText } from '../../src/render/text/fleet.ts';
import { onTerminal, uncoloured } from '../../src/view/paint.ts';
import { fitted } from '../../src/view/terminal/narrow.ts';
import { fleetCalled, fleetChecked, fleetOf } from '../render/html/fleet.ts';
import { type Outputs, painted, unfolded } from './outputs.ts';

const HOSTILE = '\u001b[31m<b>::x\u202e';

function fleetStatus(): Outputs {
  const underWay = fleetCalled(`acme${HOSTILE}`, 'bravo');
  const stopped = fleetOf(60, 20);
  const { results, workers, others } = underWay;
  const checked = fleetChecked('bravo', 'acme');
  if (workers === null) throw new Error('workers drive it');
  return {
    ...painted('under-way', (paint) => statusText(results, workers, paint)),
    'under-way-80.txt': fitted(statusText(results, null, onTerminal(uncoloured, 80)), 80),
    'under-way.html': unfolded(fleetRenderers.html(underWay)),
    ...painted('stopped', (paint) => statusText(stopped.results, null, paint)),
    'stopped.html': unfolded(fleetRenderers.html(stopped)),
    ...painted('checked', (paint) => statusText(checked.results, null, paint)),
    'checked.html': unfolded(fleetRenderers.html(checked)),
    ...painted('runs', (paint) =>
      runsText([{ results, onWorkers: false }, ...others, { ...stopped, onWorkers: true }], 3, paint),
    ),
  };
}

export const FLEETS: { readonly [situation: string]: () => Outputs } = { 'fleet-status': fleetStatus };
