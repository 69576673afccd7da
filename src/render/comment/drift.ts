// What somebody changed on the license by hand, and the plan replaces, in; a fold of it, out.

import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { plain } from '../plain.ts';
import { driftParts } from '../plan-text.ts';
import { fold } from './surroundings.ts';
import { cut } from './words.ts';

const LONGEST = 500;

export function overwrittenFold({ resource_drift: all }: Plan, room: number): string {
  const lines = all.map((each) => {
    const changes = driftParts(each).map(
      ({ name, before, after }) => `${name} ${before ?? 'none'} -> ${after ?? 'none'}`,
    );
    return cut(`${plain(each.address)}: ${changes.join(', ')}`, LONGEST);
  });
  return fold(
    `Changed on the license since the last apply, and overwritten: ${counted(lines.length, 'resource')}`,
    lines,
    room,
  );
}
