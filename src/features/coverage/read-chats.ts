// Reads the chats of groups from the reports, hour by hour. Each request is billed.

import type { Address } from '../../base/model.ts';
import { type MeasuredQueues, measuredQueues, queueIn } from '../../demand/queues.ts';
import type { ReportRange } from '../../demand/range.ts';
import { type DemandReader, demandSoFar } from '../../demand/read.ts';
import type { Requests } from '../../license/connect.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import type { GroupChats, ReadChats } from './demand.ts';

interface ReadGroup {
  readonly id: number;
  readonly address: Address;
}

/** Of a group: all chats, those that need a slot, and its queue. Before the first of them, up to three more. */
const REQUESTS = { group: 3, first: 3 } as const;

/** Says first how many requests it takes. Where the reports cannot be read, it says so. @throws once the run is interrupted */
export async function readChats(
  asked: readonly ReadGroup[],
  range: ReportRange,
  settings: TargetSettings,
  context: RunContext,
): Promise<{ readonly chats: ReadChats; readonly requests: Requests }> {
  const read: (Omit<GroupChats, 'queue'> & ReadGroup)[] = [];
  let queues: MeasuredQueues = { by: 'nothing' };
  const readAll = async (reader: DemandReader): Promise<void> => {
    for (const { id, address } of asked) {
      const of = { groups: [id], unrehearsed: true } as const;
      const chats = await reader.chats('chats', of, range);
      const synchronous = await reader.chats('chats', { ...of, synchronous: true }, range);
      read.push({ id, address, chats, synchronous });
    }
    const ids = asked.map(({ id }) => id);
    queues = await measuredQueues(reader, ids, range);
  };
  if (asked.length > 0)
    context.notice({
      type: 'reports',
      groups: asked.length,
      requests: asked.length * REQUESTS.group + REQUESTS.first,
    });
  const { missing, requests } = await demandSoFar(settings, context, readAll);
  const groups = read.map(({ id, ...group }) => ({ ...group, queue: queueIn(queues, id) }));
  return { chats: { range, groups, missing }, requests };
}
