// Secrets of bots and templates, which the service tells once: no failure repeats one.

import { describe, expect, test } from 'vitest';
import { withheld, withoutSecretWords } from '../../src/service/secrets.ts';
import { clientWith, failureOf, reply, scripted } from './scripted.ts';

const SECRET = '90ca80a62a2e970f983e5ec3daa66d13';
const OWNER = 'c1ient0123456789abcdef';

describe('a request that is answered with a secret', () => {
  test('When it fails, what looks like a secret is not repeated, and what the request said itself is', async () => {
    const message = `{"id":"b-1","secret":"${SECRET}"} of client ${OWNER} was not kept: too many bots`;
    const error = { type: 'limit_reached', message, data: { [SECRET]: [SECRET] } };
    const { exchange } = scripted(reply(403, { error }, { 'x-debug-id': 'd-1234567890abcdef' }));
    const failure = await failureOf(clientWith({ exchange }).call('create_bot', { owner_client_id: OWNER }));
    expect(JSON.stringify(failure)).not.toContain(SECRET);
    expect(failure).toMatchObject({ type: 'limit_reached', debugId: 'd-1234567890abcdef' });
    for (const word of [OWNER, 'too many bots']) expect(failure.message).toContain(word);
  });

  test('A slot that fails repeats no secret of another', async () => {
    const error = { type: 'internal', message: `after ${SECRET}` };
    const { exchange } = scripted(reply(200, { responses: [{ id: 'b-1', secret: SECRET }, { error }] }));
    const slots = await clientWith({ exchange }).batch('create_bot', [{ name: 'a' }, { name: 'b' }]);
    expect(slots[0]).toEqual({ ok: { id: 'b-1', secret: SECRET } });
    expect(JSON.stringify(slots[1])).not.toContain(SECRET);
  });
});

test('A secret that was told is not repeated by what fails later', async () => {
  const heard: unknown[] = [];
  const short = 'sesame';
  const { exchange } = scripted(
    reply(200, { id: 'b-1', secret: SECRET }),
    reply(200, { responses: [{ id: 'b-2', secret: short }] }),
    reply(500, { error: { type: 'internal', message: `lost ${SECRET} and ${short}` } }, { 'x-debug-id': SECRET }),
    reply(502, `<p>${SECRET} ${short}</p>`),
    { failure: { phase: 'sent', kind: 'other', detail: `${SECRET} ${short}` } },
  );
  const client = clientWith({ exchange, onRequest: (request) => heard.push(request) });
  await client.call('create_bot', { name: 'a' });
  await client.batch('create_bot', [{ name: 'b' }]);
  for (let count = 0; count < 3; count += 1) heard.push(await failureOf(client.call('list_bots', {})));
  for (const secret of [SECRET, short]) expect(JSON.stringify(heard)).not.toContain(secret);
  expect(JSON.stringify(heard)).toContain('[secret]');
});

describe('a reply without its secrets', () => {
  const harmless = { answersSecret: false, said: '' };

  test('Members whose names say that they are secret are replaced, at any depth, and counted', () => {
    const reply = [
      { id: 'b', secret: 'x' },
      { bot_secret: 'y', inner: { access_token: 'z', PASSWORD: 7 } },
    ];
    expect(withheld(reply, harmless)).toEqual({
      value: [
        { id: 'b', secret: '[withheld]' },
        { bot_secret: '[withheld]', inner: { access_token: '[withheld]', PASSWORD: '[withheld]' } },
      ],
      count: 4,
    });
  });

  test('What is only called like one stays: a definition, a truth value, a page of a list, nothing', () => {
    const reply = { token: { type: 'string' }, secret: true, next_page_id: SECRET, tokens: ['a'], password: null };
    expect(withheld(reply, harmless)).toEqual({ value: reply, count: 0 });
    for (const plain of [null, 7, 'text', [], {}])
      expect(withheld(plain, harmless)).toEqual({ value: plain, count: 0 });
  });

  test('An answer that has one loses every word that could be it, except ids and what the request said', () => {
    const told = { answersSecret: true, said: OWNER };
    const id = 'f'.repeat(31) + '1';
    expect(withheld({ id, client_id: id, secret: { value: SECRET }, note: `for ${OWNER}: ${SECRET}` }, told)).toEqual({
      value: { id, client_id: id, secret: '[withheld]', note: `for ${OWNER}: [withheld]` },
      count: 2,
    });
    expect(withheld(JSON.stringify({ id, secret: SECRET }), told).value).not.toContain(SECRET);
  });
});

test('Words that could be a secret are withheld behind codes also', () => {
  const said =
    'the bot &quot;b0t+s3cr3t/of=bot1&quot; and b0t%2Bs3cr3t%2Fof%3Dbot2, \\u0062\\u0030t-s3cr3t-of-bot-3; &#98;0t&plus;s3cr3t&sol;of&equals;bot4';
  expect(withoutSecretWords(said, '')).toBe('the bot &quot;[withheld]&quot; and [withheld], [withheld]; [withheld]');
});
