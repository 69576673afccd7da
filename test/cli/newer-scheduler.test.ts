// Hours in the shape of version 3.6 under a target of version 3.3: said to be unreadable, and never overwritten.

import { describe, expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';

const SHIFT = { day: 'monday', enabled: true, start: '08:00', end: '12:00' } as const;
const NEWER = { timezone: 'UTC', schedule: [SHIFT, { ...SHIFT, start: '13:00', end: '16:00' }] };
const HOURS = '{ timezone: UTC, schedule: [{ day: friday, enabled: true, start: "09:00", end: "10:00" }] }';
const WHY = 'its hours have the shape of later versions, which version 3.3 does not show';

/** How a service answers 3.3 where hours have the newer shape: with an error, or with that shape. */
const ANSWERS = ['validation', 'newer shape'] as const;

async function older(answer: (typeof ANSWERS)[number], mobile: string) {
  const seed = {
    agents: [{ id: 'ann@example.com', name: 'Ann', work_scheduler: NEWER }],
    bots: [{ id: 'bot', name: 'Triage', work_scheduler: NEWER }],
  };
  const { emulator, url } = await served({ seed }, (handle) => async (asked) => {
    const bytes = await asked.bytes(-1);
    const again = { ...asked, bytes: async () => bytes };
    const reply = await handle(again);
    const isRead = /\/(list|get)_(agents?|bots?)$/.test(asked.target);
    if (answer !== 'newer shape' || !isRead || reply.status !== 400) return reply;
    return handle({ ...again, target: asked.target.replace('/v3.3/', '/v3.6/') });
  });
  const files = {
    'chatform.yaml': `version: 1\nmanifest: [m.yaml]\ntargets:\n  shop: { base_url: "${url}", ledger: l.ndjson, api_version: "3.3" }\n`,
    'm.yaml': `version: 1\nagents: { ann@example.com: { name: Ann, mobile: "${mobile}", work_scheduler: ${HOURS} } }\nbots: { triage: { id: bot, name: Triage, work_scheduler: ${HOURS} } }\n`,
  };
  const cwd = await folder(files);
  const run = (...args: readonly string[]) => chatform(args, { cwd, env: { CHATFORM_TOKEN: 'any' } });
  return { emulator, run };
}

/** A difference of a drift report. */
interface Found {
  readonly status: string;
  readonly path: readonly string[];
  readonly live: unknown;
}

describe.each(ANSWERS)('Where 3.3 answers with %s', (answer) => {
  test('A plan says that the hours cannot be read, and an apply of another field leaves them', async () => {
    const { emulator, run } = await older(answer, '+48 1');
    const planned = await run('plan');
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining(WHY)]);
    expect(planned.stdout).not.toContain('work_scheduler.schedule');
    expect((await run('apply', '--yes')).code).toBe(0);
    const { agents, bots } = emulator.snapshot().tables;
    const hours = [...agents, ...bots].map((row) => row.at(-1)?.value?.work_scheduler?.schedule);
    expect(hours).toEqual([undefined, NEWER.schedule, NEWER.schedule]);
    expect(JSON.stringify(agents)).toContain('"mobile":"+48 1"');
    expect(emulator.stats()).toMatchObject({ update_agent: 1 });
    expect(emulator.stats()['update_bot']).toBeUndefined();
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    const drift = JSON.parse((await run('drift', '--json')).stdout);
    expect(JSON.stringify(drift)).toContain(WHY);
    const found: readonly Found[] = drift.items;
    const hidden = found.filter(({ path }) => path[0] === 'work_scheduler');
    expect(hidden.map(({ status, live }) => [status, live])).toEqual([
      ['unknown', null],
      ['unknown', null],
    ]);
  });
});
