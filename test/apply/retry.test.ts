// When what was refused is sent again, and when it is not.

import { expect, test } from 'vitest';
import { world } from '../world.ts';

function busy(retryAfter: string) {
  const error = { type: 'too_many_requests', message: 'later' };
  return { status: 429, headers: { 'retry-after': retryAfter }, body: JSON.stringify({ error }) };
}

test('what the service asks to wait is waited', async () => {
  let isFirst = true;
  const license = world({
    wrap: (exchange) => async (request) => {
      if (!isFirst) return exchange(request);
      isFirst = false;
      return busy('60');
    },
  });
  const started = license.clock.now();
  await license.client.call('list_groups', {});
  expect(license.clock.now() - started).toBe(60_000);
});

test.each(['301', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'who is asked to wait for longer than five minutes (%s) sends nothing again',
  async (retryAfter) => {
    const license = world({ wrap: () => async () => busy(retryAfter) });
    await expect(license.client.call('list_groups', {})).rejects.toMatchObject({
      failure: { type: 'too_many_requests' },
    });
    expect(license.client.requests()).toEqual({ list_groups: 1 });
  },
);
