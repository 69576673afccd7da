// What the measured queues say of the groups of a plan: how patient their visitors are, who waited, and how long a chat takes a slot.
// Visitors who left the queue are taken to be chats of their group, which no page says.

import type { Address } from '../../base/model.ts';
import { type MeasuredQueues, type QueueFigures, queueIn } from '../../demand/queues.ts';
import { chatsIn } from '../../demand/week.ts';
import type { Demands, GroupDemand } from './carried.ts';
import type { Touched } from './touched.ts';

/** Visitors of groups who waited. */
export interface Waiters {
  /** Null where the reports do not measure it, or not for the group alone. */
  readonly queueIn: (group: Address) => QueueFigures | null;
  /** Mean patience in seconds of the visitors of a group; null where it is not known. */
  readonly patienceIn: (group: Address) => number | null;
}

/** From fewer visitors who left, chance decides how patient they seem. */
const LEAST_LEFT = 20;

/** The patience of a group is its own where enough visitors left, else that of all groups measured; null where too few left these as well. */
export function waitersIn({ groups }: Pick<Touched, 'groups'>, queues: MeasuredQueues): Waiters {
  const of = new Map<Address, QueueFigures>(
    groups.flatMap(({ address, id }) => {
      const queue = queueIn(queues, id);
      return queue === null ? [] : [[address, queue] as const];
    }),
  );
  const measured = 'license' in queues ? [queues.license] : [...of.values()];
  const [seconds, left] = [
    measured.reduce((sum, queue) => sum + queue.seconds, 0),
    measured.reduce((sum, queue) => sum + queue.left, 0),
  ];
  const shared = left < LEAST_LEFT ? null : seconds / left;
  return {
    queueIn: (group) => of.get(group) ?? null,
    patienceIn: (group) => {
      const own = of.get(group);
      return own !== undefined && own.left >= LEAST_LEFT ? own.patience : shared;
    },
  };
}

/** Groups in which more visitors waited than there were chats, so that those who left were none. Sorted. */
export function uncountedLeavers(demands: Demands, { queueIn }: Pick<Waiters, 'queueIn'>): readonly Address[] {
  return [...demands].flatMap(([group, { hours }]) => {
    const queue = queueIn(group);
    return queue !== null && queue.left > 0 && queue.waited > chatsIn(hours) ? [group] : [];
  });
}

/** The same chats with the time that they took a slot: those who left took none, and the others waited before. */
export function withoutWaits(demands: Demands, { queueIn }: Pick<Waiters, 'queueIn'>): Demands {
  return new Map([...demands].map(([group, demand]) => [group, withoutWait(demand, queueIn(group))]));
}

function withoutWait(demand: GroupDemand, queue: QueueFigures | null): GroupDemand {
  const { hours, length } = demand;
  if (queue === null || length === null) return demand;
  const chats = chatsIn(hours);
  const served = chats - queue.left;
  return { ...demand, length: served > 0 ? Math.max(0, chats * length - queue.seconds) / served : length };
}
