// Drawn weeks as the seed of an emulator: each chat a thread of a customer, with its first response and its rating.

import { MINUTE } from '../../../../src/base/zone.ts';
import type { Seed } from '../../../../src/emulator/index.ts';
import type { FollowWindow } from '../../../../src/features/report/since/window.ts';
import { drawnHours, type Random, type Weeks } from './weeks.ts';

type Chats = NonNullable<Seed['chats']>;
type Thread = NonNullable<Chats[number]['threads']>[number];

const AGENT = 'ann@example.com';

export function drawnChats(window: FollowWindow, weeks: Weeks, group: number, random: Random) {
  const hours = drawnHours(window, weeks, random);
  const threads = hours.chats.flatMap(({ at, chats }, index): readonly Thread[] => {
    const notTaken = hours.not_taken[index]?.chats ?? 0;
    const { chats: answered = 0, seconds = 0 } = hours.first_response[index] ?? {};
    const { good = 0, bad = 0 } = hours.ratings[index] ?? {};
    return Array.from({ length: chats }, (_, each): Thread => {
      const begin = at + Math.floor((each + 0.5) * ((59 * MINUTE) / chats));
      const time = (later: number): string => new Date(begin + later).toISOString();
      const rating = each < good ? 1 : each < good + bad ? 0 : null;
      return {
        created_at: time(0),
        closed_at: time(10 * MINUTE),
        group_ids: [group],
        ...(each < chats - notTaken ? { agent: AGENT } : {}),
        events:
          each < answered
            ? [{ text: 'hello' }, { text: 'hello', author: AGENT, created_at: time((seconds / answered) * 1000) }]
            : [{ text: 'hello' }],
        ...(rating === null ? {} : { properties: { rating: { score: rating } } }),
      };
    });
  });
  const id = `00000000-0000-4000-8000-00000000000${group}`;
  return { customers: [{ id }], chats: [{ customer: id, threads }] };
}
