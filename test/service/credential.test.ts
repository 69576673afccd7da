import { describe, expect, test } from 'vitest';
import { saidBy } from '../../src/base/encodings.ts';
import { UsageError } from '../../src/base/errors.ts';
import { createRedactor } from '../../src/service/credential.ts';
import { clientWith, failureOf, reply, scripted, TOKEN } from './scripted.ts';

describe('the credential', () => {
  test.each(['dal%3As3cr3t', 'dal%3as3cr3t'])('A token pasted URL-encoded is refused with the reason', (token) => {
    const create = () => clientWith({ credential: { kind: 'bearer', token } });
    expect(create).toThrow(UsageError);
    expect(create).toThrow(/%3A/);
    expect(create).not.toThrow(/s3cr3t/);
  });

  test.each(['', 'dal:s3cr3t\n', 'dal: s3cr3t', 'dal:s3cr3tü'])('The token %j is refused and not shown', (token) => {
    const create = () => clientWith({ credential: { kind: 'bearer', token } });
    expect(create).toThrow(UsageError);
    expect(create).not.toThrow(/s3cr3t/);
  });

  test.each(['"dal:s3cr3t"', "'dal:s3cr3t'", 'dal:s3cr3t"', '“dal:s3cr3t”'])(
    'The token %s is told to be in quotes, and not shown',
    (token) => {
      const create = () => clientWith({ credential: { kind: 'bearer', token } });
      expect(create).toThrow(/stands in quotes, which are no part of it: write it without them/);
      expect(create).not.toThrow(/s3cr3t/);
    },
  );

  test.each(['', 'a:b', 'a b'])('The account id %j cannot stand in Basic', (accountId) => {
    expect(() => clientWith({ credential: { kind: 'basic', accountId, token: TOKEN } })).toThrow(UsageError);
  });

  test('No failure repeats the token in any form, even when the service does', async () => {
    const pair = Buffer.from(`acc:${TOKEN}`).toString('base64');
    const echo = [TOKEN, pair, encodeURIComponent(TOKEN), TOKEN.replaceAll('/', '\\/')].join(' ');
    const error = { type: `t ${TOKEN}`, message: `bad ${echo}`, data: { [TOKEN]: [`x ${pair}`] } };
    const { exchange } = scripted(
      reply(401, { error }, { 'x-debug-id': `d ${pair}` }),
      reply(500, `<p>${echo}</p>`),
      { failure: { phase: 'sent', kind: 'other', detail: `lost ${echo}` } },
      reply(200, { responses: [{ error }] }),
    );
    const seen: unknown[] = [];
    const client = clientWith({
      exchange,
      credential: { kind: 'basic', accountId: 'acc', token: TOKEN },
      onRequest: (request) => seen.push(request),
    });
    for (let count = 0; count < 3; count += 1) {
      const thrown = await client.call('list_groups', {}).catch((reason: unknown) => reason);
      seen.push(String(thrown), await failureOf(Promise.reject(thrown)));
    }
    seen.push(await client.batch('create_agent', [{}]));
    const said = JSON.stringify(seen);
    for (const form of [TOKEN, 's3cr3t', pair]) expect(said).not.toContain(form);
    expect(said).toContain('[token]');
  });
});

test('A token is replaced in the forms in which a service or a proxy keeps it', () => {
  const token = 'dal:s3cr3t/T0ken+x=';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  for (const credential of [
    { kind: 'bearer', token },
    { kind: 'basic', accountId: 'acc', token },
  ] as const) {
    const redact = createRedactor(credential);
    for (const form of [
      's3cr3t/T0ken+x=',
      'dal%3as3cr3t%2fT0ken%2bx%3d',
      base64(token),
      base64(token).replaceAll('=', ''),
      Buffer.from(token).toString('base64url'),
      encodeURIComponent(base64(token)),
      ...(credential.kind === 'basic' ? [base64(`acc:${token}`).replaceAll('=', '')] : []),
    ])
      expect([form, redact(`a ${form} b`)]).toEqual([form, expect.stringMatching(/^a \S*\[token\]=* b$/)]);
  }
});

test('A token that is part of what takes its place is replaced once', () => {
  const redact = createRedactor({ kind: 'bearer', token: 'token' });
  expect(redact('a token, and dG9rZW4=')).toBe('a [token], and [token]');
  expect(createRedactor({ kind: 'bearer', token: 'a.b/c' })('a.b/c axb/c a.b%2Fc a.b\\/c')).toBe(
    '[token] axb/c [token] [token]',
  );
});

test('A token as short as those of examples is replaced as a word only', () => {
  const redact = createRedactor({ kind: 'bearer', token: 'any' });
  expect(redact('too_many_requests: Bearer any was sent too many times')).toBe(
    'too_many_requests: Bearer [token] was sent too many times',
  );
  expect(redact('{"token":"any","company":"Any Inc."}')).toBe('{"token":"[token]","company":"Any Inc."}');
  expect(createRedactor({ kind: 'bearer', token: 'any:t' })('many:t any%3At')).toBe('many:t [token]');
});

const SECRET = 'dal:s3cr3t/T0ken+x=_Y~z';
const hex = (character: string): string => character.charCodeAt(0).toString(16);
const each = (text: string, code: (character: string) => string): string => [...text].map(code).join('');
const inUrl = (text: string): string => each(text, (character) => `%${hex(character)}`);
const inHtml = (text: string): string => each(text, (character) => `&#${character.charCodeAt(0)};`);
const asJson = (text: string): string => each(text, (character) => `\\u${hex(character).padStart(4, '0')}`);
const named = (text: string): string =>
  text
    .replace(/:/g, '&colon;')
    .replace(/\//g, '&sol;')
    .replace(/\+/g, '&plus;')
    .replace(/=/g, '&equals;')
    .replace(/_/g, '&lowbar;');

test.each([
  ['names of HTML', named(SECRET)],
  [
    'numbers of HTML',
    SECRET.replace('+', '&#43;').replace(':', '&#0058;').replace('/', '&#x2F;').replace('=', '&#x3d'),
  ],
  ['every character as a number of HTML', inHtml(SECRET)],
  ['URL encoding of every character', inUrl(SECRET)],
  ['URL encoding, twice', encodeURIComponent(encodeURIComponent(SECRET))],
  ['a form, where only some are encoded', SECRET.replace('+', '%2b').replace('/', '%2F')],
  ['escapes of JSON', SECRET.replace('+', '\\u002b').replace('/', '\\/').replace('=', '\\u003D')],
  ['escapes of every character', asJson(SECRET)],
  ['escapes of JavaScript', SECRET.replace('+', '\\x2b').replace('=', '\\u{3d}')],
  ['HTML in JSON', SECRET.replace('+', '\\u0026plus;').replace(':', '\\u0026#58;')],
  ['JSON in HTML', named(SECRET.replace('/', '\\/'))],
  ['a URL in HTML', inHtml(inUrl(SECRET))],
  ['the header in base64', Buffer.from(`Authorization: Bearer ${SECRET}`).toString('base64')],
  [
    'the header without its first letter in base64',
    Buffer.from(`uthorization: Bearer ${SECRET}, *`).toString('base64'),
  ],
  ['the header, URL-encoded and in base64url', Buffer.from(`thorization: Bearer ${SECRET}; a`).toString('base64url')],
  ['base64 in HTML', inHtml(Buffer.from(SECRET).toString('base64'))],
  ['the token without its region in HTML', named(SECRET.slice(4))],
])('A page of a gateway repeats the token as %s: it is replaced, and the rest of the page stays', (_, form) => {
  const redact = createRedactor({ kind: 'bearer', token: SECRET });
  const page = `<p title="a&amp;b">100&percnt; of %41, ${form} &lt;end\\n`;
  const shown = redact(page);
  expect(shown).toMatch(/^<p title="a&amp;b">100&percnt; of %41, .{0,60}\[token\].{0,6} &lt;end\\n$/);
  for (const said of saidBy(shown)) expect(said).not.toMatch(/s3cr3t|T0ken/);
  expect(redact(form)).not.toContain(form);
});

test('A text of codes of codes takes no longer than other texts', () => {
  const redact = createRedactor({ kind: 'bearer', token: SECRET });
  const text = `%${'25'.repeat(200_000)}41 ${named(SECRET)}`;
  const started = performance.now();
  expect(redact(text)).toMatch(/ \[token\]$/);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('A secret of an answer is withheld from a page that repeats it as HTML', async () => {
  const secret = 'b0t+s3cr3t/of=bot';
  const { exchange } = scripted(
    reply(200, { id: 'b', secret }),
    reply(502, `<pre>${named(secret)} ${inUrl(secret)}</pre>`),
  );
  const client = clientWith({ exchange });
  await client.call('create_bot', {});
  const { message } = await failureOf(client.call('list_bots', {}));
  expect(message).toContain('<pre>[secret] [secret]</pre>');
});
