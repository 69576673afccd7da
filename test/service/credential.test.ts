import { describe, expect, test } from 'vitest';
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
