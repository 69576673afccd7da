// `chatform api`: reads and writes of both APIs, what it refuses before it sends anything, and what it says of an unknown end.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen, type WireHandler } from '../../src/emulator/index.ts';
import { chatform, filesIn, folder, type How, MANIFEST, project, type Ran, withoutLease } from './chatform.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const TOKEN = 'dal:customer-t0ken';
const CUSTOMER = { CHATFORM_CUSTOMER_TOKEN: TOKEN, CHATFORM_TOKEN: 'dal:agent-t0ken' };

type Answer = Awaited<ReturnType<WireHandler>>;
const json = (status: number, body: unknown, headers = {}): Answer => ({ status, headers, body: JSON.stringify(body) });

interface Asked {
  readonly method: string;
  readonly target: string;
  readonly authorization: string | null;
  readonly region: string | null;
  readonly referer: string | null;
  readonly type: string | null;
  readonly body: string;
}

/** A service that keeps what it is asked, and answers from a list. */
async function service(...answers: readonly Answer[]) {
  const asked: Asked[] = [];
  const handle: WireHandler = async (request) => {
    const body = new TextDecoder().decode((await request.bytes(-1)) ?? undefined);
    const { method, target, header } = request;
    asked.push({
      method,
      target,
      authorization: header('authorization'),
      region: header('x-region'),
      referer: header('referer'),
      type: header('content-type'),
      body,
    });
    const answer = answers[asked.length - 1];
    if (answer === undefined) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    return answer;
  };
  const server = await listen({ handle }, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return { asked, url: server.url };
}

/** A target on that service, with these settings. */
const remote = (url: string, ...settings: readonly string[]): { readonly [name: string]: string } => ({
  'manifest.yaml': MANIFEST,
  'chatform.yaml': [
    'version: 1',
    'manifest: [manifest.yaml]',
    'targets:',
    '  here:',
    `    base_url: ${url}`,
    '    ledger: ledger.ndjson',
    ...settings.map((line) => `    ${line}`),
    '',
  ].join('\n'),
});

async function refusal(args: readonly string[], how: How): Promise<string> {
  const { code, stdout, stderr } = await chatform(['api', ...args], how);
  expect([args, code, stdout]).toEqual([args, 1, '']);
  return stderr;
}

/** Runs a command line in that folder, at a terminal whose person gives this answer, and whose clock stands still. */
async function seated(answer: string | null, args: readonly string[], { cwd, env = {} }: How) {
  const home = process.cwd();
  process.chdir(cwd);
  try {
    const { terminal, asked, said } = fakeTerminal(answer, env);
    return { code: await atTerminal(args, terminal), asked, said: said() };
  } finally {
    process.chdir(home);
  }
}

const parsed = ({ stdout }: Pick<Ran, 'stdout'>) => JSON.parse(stdout);
const eventsIn = async (
  cwd: string,
): Promise<readonly { readonly type: string; readonly [member: string]: unknown }[]> =>
  (await readFile(join(cwd, 'ledger.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a read', () => {
  test('Its reply is the only thing on stdout, pretty, and nothing is written', async () => {
    const cwd = await folder(project());
    const ran = await chatform(['api', 'list_groups', '-d', '{"fields": ["agent_priorities"]}'], { cwd });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toBe(`${JSON.stringify(parsed(ran), null, 2)}\n`);
    expect(parsed(ran)).toEqual([
      { id: 0, name: 'General', language_code: 'en', agent_priorities: { 'owner@example.com': 'normal' } },
    ]);
    expect(Object.keys(await filesIn(cwd)).sort()).toEqual(['chatform.yaml', 'manifest.yaml']);
  });

  test('The request comes from the flag, from a file or from standard input; without one it is empty', async () => {
    const cwd = await folder({ ...project(), 'group.json': '{"id": 0}' });
    const name = async (data: readonly string[], stdin = '') =>
      parsed(await chatform(['api', 'get_group', ...data], { cwd, stdin })).name;
    expect(await name(['-d', '{"id": 0}'])).toBe('General');
    expect(await name(['-d', '@group.json'])).toBe('General');
    expect(await name(['-d', '-'], '{"id":\n0}')).toBe('General');
    const { code, stdout, stderr } = await chatform(['api', 'get_group'], { cwd });
    expect([code, JSON.parse(stdout).error.type, stderr]).toEqual([1, 'validation', expect.stringContaining('`id`')]);
  });

  test('The version and the address can be others than those of the target, and an address is enough', async () => {
    const cwd = await folder({ ...project(), 'other.json': '{"groups": [{"name": "Other"}]}' });
    const old = await chatform(['api', 'get_agent', '-d', '{"id":"owner@example.com"}', '--api-version', '3.3'], {
      cwd,
    });
    expect(parsed(old)).toHaveProperty('avatar_path');
    const other = await chatform(['api', 'list_groups', '--base-url', 'emulator:other.json'], { cwd });
    expect(parsed(other)).toHaveLength(2);
    const bare = await folder({});
    expect(parsed(await chatform(['api', 'list_groups', '--base-url', 'emulator:x.json'], { cwd: bare }))).toHaveLength(
      1,
    );
    expect(await refusal(['list_groups'], { cwd: bare })).toContain('there is no chatform.yaml here');
  });

  test('What the service refuses is its reply too, with what to do on stderr', async () => {
    const cwd = await folder(project());
    const { code, stdout, stderr } = await chatform(['api', 'get_group', '-d', '{"id": 99}'], { cwd });
    expect([code, JSON.parse(stdout)]).toEqual([1, { error: { type: 'not_found', message: expect.any(String) } }]);
    expect(stderr).toMatch(/^Error: get_group: not_found: /);
    const { asked, url } = await service(json(401, { error: { type: 'authentication', message: 'no' } }));
    const there = await folder(remote(url));
    const refused = await chatform(['api', 'list_groups'], { cwd: there, env: CUSTOMER });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('the token is missing, wrong or expired'),
    ]);
    expect(asked[0]?.authorization).toBe('Bearer dal:agent-t0ken');
  });

  test('A control character of the license reaches no terminal', async () => {
    const cwd = await folder({ ...project(), 'license.json': '{"groups": [{"name": "a\\u001b[31mb"}]}' });
    const ran = await chatform(['api', 'list_groups'], { cwd });
    expect(ran.stdout).not.toContain('\u001b');
    expect(parsed(ran)[1].name).toBe('a\u001b[31mb');
  });
});

describe('what is refused before anything is sent', () => {
  test('An action that does not exist, with the name that was meant, of this API or of another', async () => {
    const cwd = await folder(project());
    expect(await refusal(['list_grups'], { cwd })).toContain(
      'the Configuration API has no action list_grups; did you mean `list_groups`?',
    );
    expect(await refusal(['strat_chat'], { cwd })).toContain(
      'the Configuration API has no action strat_chat; did you mean `start_chat` of the Customer Chat Web API? add --customer',
    );
    expect(await refusal(['zzz', '--customer'], { cwd })).toContain(
      'the Customer Chat Web API has no action zzz; allowed: ',
    );
  });

  test('An action of the other API, with the flag that means it', async () => {
    const cwd = await folder(project());
    expect(await refusal(['start_chat', '--write'], { cwd })).toContain(
      'start_chat is an action of the Customer Chat Web API: add --customer',
    );
    expect(await refusal(['list_groups', '--customer'], { cwd })).toContain(
      'list_groups is an action of the Configuration API: leave out --customer',
    );
  });

  test('A version that the API does not have, and one that does not have the action', async () => {
    const cwd = await folder(project('api_version: "3.3"'));
    expect(await refusal(['list_groups', '--api-version', '3.4'], { cwd })).toContain(
      '--api-version 3.4: the Configuration API has 3.3, 3.5, 3.6 and 3.7',
    );
    expect(await refusal(['list_bot_templates'], { cwd })).toContain(
      'version 3.3 of the Configuration API has no list_bot_templates; 3.5, 3.6 and 3.7 have it: write --api-version 3.6, or set api_version in chatform.yaml',
    );
    const given = await refusal(['get_predicted_agent', '--customer', '--api-version', '3.7'], { cwd });
    expect(given).toContain('3.3, 3.5 and 3.6 have it: write --api-version 3.6\n');
    expect(await refusal(['batch_create_agents', '--write', '-d', '{"requests": [{}]}'], { cwd })).toContain(
      'version 3.3 of the Configuration API has no batch_create_agents; 3.5, 3.6 and 3.7 have it',
    );
  });

  test('A write without --write', async () => {
    const cwd = await folder(project());
    expect(await refusal(['create_group', '-d', '{"name": "A"}'], { cwd })).toContain(
      'create_group is not a read: add --write to send it after a question, or --write --yes without one',
    );
    expect(Object.keys(await filesIn(cwd)).sort()).toEqual(['chatform.yaml', 'manifest.yaml']);
  });

  test('A request that is no JSON object, which is not repeated, because it may hold a secret', async () => {
    const cwd = await folder({ ...project(), 'list.json': '[1]' });
    for (const [data, stdin] of [['{sesame}'], ['[1]'], ['@list.json'], ['-', 'sesame']]) {
      const said = await refusal(['list_groups', '-d', data ?? ''], { cwd, ...(stdin === undefined ? {} : { stdin }) });
      expect(said).toMatch(/(has no JSON object:|is not JSON: line 1, column [12]: .*;) write `\{"name": "value"\}`/);
      expect(said).not.toContain('sesame');
    }
    expect(await refusal(['list_groups', '-d', '@none.json'], { cwd })).toContain(
      'none.json cannot be read: there is no such file',
    );
    expect(await refusal(['list_groups', '-d', '@'], { cwd })).toContain('-d @ names no file');
    for (const bytes of [Buffer.from('{"a": "é"}', 'latin1'), Buffer.from('\ufeff{}', 'utf16le')]) {
      await writeFile(join(cwd, 'other.json'), bytes);
      expect(await refusal(['list_groups', '-d', '@other.json'], { cwd })).toContain('other.json is not text in UTF-8');
    }
    await writeFile(join(cwd, 'bom.json'), '\ufeff{"id": 0}');
    expect((await chatform(['api', 'get_group', '-d', '@bom.json'], { cwd })).code).toBe(0);
  });

  test('A batch without its list', async () => {
    const cwd = await folder(project());
    for (const data of ['{}', '{"requests": []}', '{"requests": ["a"]}'])
      expect(await refusal(['batch_delete_agents', '--write', '-d', data], { cwd })).toContain(
        'batch_delete_agents takes `{"requests": [...]}`: a list of requests as delete_agent takes them',
      );
  });

  test('A file where none is sent, none where one is, and one that is too large', async () => {
    const cwd = await folder({ ...project(), 'a.png': 'x', 'large.bin': 'x'.repeat(10 * 1024 * 1024 + 1) });
    const upload = ['upload_file', '--customer', '--write', '--yes'];
    expect(await refusal(['list_groups', '--file', 'a.png'], { cwd })).toContain(
      '--file a.png: list_groups sends no file',
    );
    expect(await refusal(upload, { cwd })).toContain('upload_file sends a file: name it with --file');
    expect(await refusal([...upload, '--file', 'a.png', '-d', '{"a": 1}'], { cwd })).toContain(
      'takes nothing but its file',
    );
    expect(await refusal([...upload, '--file', 'none.png'], { cwd })).toContain(
      '--file none.png cannot be read: there is no such file',
    );
    expect(await refusal([...upload, '--file', '.'], { cwd })).toContain('--file . is no file');
    expect(await refusal([...upload, '--file', 'large.bin'], { cwd })).toContain(
      'the file large.bin is too large: the service takes 10 MB at most',
    );
  });

  test('A header that cannot be sent', async () => {
    const cwd = await folder(project());
    expect(await refusal(['list_groups', '-H', 'Referer'], { cwd })).toContain('write a header as "Name: value"');
    expect(await refusal(['list_groups', '-H', 'Authorization: Bearer sesame'], { cwd })).toContain(
      'the header `authorization` is set by the client itself',
    );
    // The client reads no compressed answer.
    expect(await refusal(['list_groups', '-H', 'Accept-Encoding: gzip'], { cwd })).toContain(
      '`accept-encoding` is set',
    );
  });

  test('A customer action without a token or an account names what is missing', async () => {
    const { asked, url } = await service();
    const cwd = await folder(remote(url));
    expect(await refusal(['list_chats', '--customer'], { cwd })).toContain(
      'target here has no organization_id, which version 3.6 of the Customer Chat Web API needs: add it to the target in chatform.yaml',
    );
    const known = await folder(remote(url, 'organization_id: org-1', 'license_id: 12'));
    expect(await refusal(['list_chats', '--customer'], { cwd: known })).toContain(
      'the environment variable CHATFORM_CUSTOMER_TOKEN is not set: it must hold the access token of a customer of target here',
    );
    expect(await refusal(['list_groups'], { cwd: known })).toContain('CHATFORM_TOKEN is not set');
    const token = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      refusal([...args, 'list_groups'], { cwd: known, env });
    expect(await token({ CHATFORM_TOKEN: '' })).toContain('CHATFORM_TOKEN is empty: it must hold the access token');
    expect(await token({ CHATFORM_TOKEN: 'dal:abc\n' })).toContain(
      'Error: CHATFORM_TOKEN: the access token contains white space or a character that no token has: copy it again',
    );
    expect(
      await refusal(['list_chats', '--customer'], { cwd: known, env: { CHATFORM_CUSTOMER_TOKEN: 'a b' } }),
    ).toContain('Error: CHATFORM_CUSTOMER_TOKEN: the access token contains white space');
    const own = await folder(remote(url, 'token_env: SHOP_TOKEN'));
    expect(await refusal(['list_groups'], { cwd: own })).toMatch(/SHOP_TOKEN is not set: .* token of target here\n$/);
    expect(await refusal(['list_groups'], { cwd: own, env: { CHATFORM_TOKEN: 'dal:abc' } })).toContain(
      'SHOP_TOKEN is not set: it must hold the access token of target here. CHATFORM_TOKEN is set, but not read: token_env of target here names SHOP_TOKEN',
    );
    expect(asked).toEqual([]);
  });
});

describe('a write', () => {
  const CREATE = ['api', 'create_group', '--write', '-d', '{"name": "Night", "agent_priorities": {}}'];

  test('It shows what is sent where, asks, takes the lease, and says that the next plan shows the change', async () => {
    const cwd = await folder(project());
    const { code, asked, said } = await seated('send', CREATE, { cwd });
    expect([code, asked.length]).toEqual([0, 1]);
    expect(asked[0]).toContain(
      [
        'Target here  emulator:license.json',
        'POST /v3.6/configuration/action/create_group',
        '{',
        '  "name": "Night",',
        '  "agent_priorities": {}',
        '}',
        '',
        'The ledger will not know of it: the next plan shows what it changes on the license.',
        'Type send to go ahead: ',
      ].join('\n'),
    );
    expect(said).toBe(
      'The ledger does not know of it: the next plan shows what it changed on the license.\n{\n  "id": 1\n}\n',
    );
    expect(Object.keys(await filesIn(cwd)).some((name) => name.startsWith('ledger.ndjson.lease'))).toBe(true);
    expect((await chatform(['plan', '--details'], { cwd })).stdout).toContain('group "Night" (1)');
  });

  test('Any other answer sends nothing, and without a person --yes is needed', async () => {
    const cwd = await folder(project());
    expect(await seated('yes', CREATE, { cwd })).toMatchObject({
      code: 1,
      said: 'Nothing was changed: the answer was not send.\n',
    });
    const alone = await chatform(CREATE, { cwd });
    expect([alone.code, alone.stdout, alone.stderr]).toEqual([1, '', expect.stringContaining('use --yes to send')]);
    expect(Object.keys(withoutLease(await filesIn(cwd))).sort()).toEqual(['chatform.yaml', 'manifest.yaml']);
  });

  test('Another run that holds the lease keeps it from being sent, with exit code 4', async () => {
    const cwd = await folder(project());
    const until = new Date(Date.now() + 60_000).toISOString();
    const since = new Date().toISOString();
    const holder = { user: 'bob', host: 'build-1', pid: 7, command: 'apply' };
    const lease = { generation: 1, run: 'r', holder, since, renewed: since, until };
    await writeFile(join(cwd, 'ledger.ndjson.lease.1'), JSON.stringify(lease));
    const { code, stdout, stderr } = await chatform([...CREATE, '--yes'], { cwd });
    expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('bob@build-1')]);
    expect((await chatform(['api', 'list_groups'], { cwd })).code).toBe(0);
  });

  test('A ledger with events gets a run, a new one stays new', async () => {
    const cwd = await folder(project());
    expect((await chatform([...CREATE, '--yes'], { cwd })).code).toBe(0);
    expect(Object.keys(await filesIn(cwd))).not.toContain('ledger.ndjson');
    // A customer who was made says nothing of what was written: the first apply must still wait.
    const customer = {
      v: 1,
      at: '2026-01-05T09:00:00.000Z',
      run: 'r',
      type: 'customer',
      client_id: 'c',
      entity_id: 'e',
    };
    await writeFile(join(cwd, 'ledger.ndjson'), `${JSON.stringify(customer)}\n`);
    expect((await chatform([...CREATE, '--yes'], { cwd })).code).toBe(0);
    expect(await eventsIn(cwd)).toEqual([customer]);
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    expect((await chatform([...CREATE, '--yes'], { cwd })).code).toBe(0);
    expect((await eventsIn(cwd)).at(-1)).toMatchObject({ type: 'run', command: 'api create_group', outcome: 'done' });
    const before = (await eventsIn(cwd)).length;
    const refused = ['api', 'delete_group', '--write', '--yes', '-d', '{"id": 99}'];
    expect((await chatform(refused, { cwd })).code).toBe(1);
    expect(await eventsIn(cwd)).toHaveLength(before);
    const history = await chatform(['ledger', 'log'], { cwd });
    expect(history.stdout).toContain('api create_group ended: done');
  });

  test('A batch answers each slot, and exits with 6 when some failed, with 1 when all did', async () => {
    const cwd = await folder(project());
    const batch = (...ids: readonly string[]) => {
      const requests = ids.map((id) => ({ id }));
      return chatform(['api', 'batch_delete_agents', '--write', '--yes', '-d', JSON.stringify({ requests })], { cwd });
    };
    await chatform(['apply', '--yes', '-q'], { cwd });
    const some = await batch('ann@example.com', 'none@example.com');
    expect([some.code, parsed(some)]).toEqual([
      6,
      { responses: [{}, { error: { type: 'not_found', message: expect.any(String) } }] },
    ]);
    expect(some.stderr).toContain('1 of 2 requests failed');
    expect((await eventsIn(cwd)).at(-1)).toMatchObject({ command: 'api batch_delete_agents', outcome: 'partial' });
    const none = await batch('none@example.com');
    expect([none.code, none.stderr]).toEqual([1, 'Error: 1 of 1 request failed\n']);
  });

  test('A create whose answer is lost is not sent again: it is unknown, and the way to look is said, with exit code 6', async () => {
    const { asked, url } = await service();
    const cwd = await folder(remote(url));
    const { code, stdout, stderr } = await chatform([...CREATE, '--yes'], { cwd, env: CUSTOMER });
    expect([code, stdout, asked.length]).toEqual([6, '', 1]);
    expect(stderr).toContain(
      'it is unknown whether create_group took effect; look with `chatform api list_groups` before you send it again, which may do it twice',
    );
  });

  test('An update whose answer is lost is sent again, and so is what the service was too busy for', async () => {
    const busy = json(503, { error: { type: 'service_unavailable', message: 'busy' } });
    const { asked, url } = await service(busy, json(200, {}));
    const cwd = await folder(remote(url));
    const update = ['api', 'update_group', '--write', '--yes', '-d', '{"id": 1, "name": "Late"}'];
    const { code, said } = await seated(null, update, { cwd, env: CUSTOMER });
    expect([code, asked.length]).toEqual([0, 2]);
    expect(said).toMatch(/^update_group failed \(service_unavailable\), trying again in .* s\nThe ledger .*\n\{\}\n$/);
  });
});

describe('secrets', () => {
  const bot = ['api', 'create_bot', '--write', '--yes', '-d', '{"name": "Triage"}'];

  test('They are withheld, from every output, and --reveal prints them', async () => {
    const cwd = await folder(project());
    const hidden = await chatform([...bot, '--log-level', 'debug'], { cwd });
    expect([hidden.code, parsed(hidden)]).toEqual([
      0,
      { id: expect.stringMatching(/^[0-9a-f]{32}$/), secret: '[withheld]' },
    ]);
    expect(hidden.stderr).toContain('Withheld: 1 secret. The service tells it only once.');
    const shown = parsed(await chatform([...bot, '--reveal'], { cwd }));
    expect(shown.secret).toMatch(/^[0-9a-f]{32}$/);
    const asking = await seated('no', ['api', 'create_bot', '--write', '-d', '{"name": "T"}'], { cwd });
    expect([asking.code, asking.asked[0]]).toEqual([1, expect.stringContaining('Without --reveal it is lost.')]);
  });

  test('Those of a request are not in the question, and no log has them', async () => {
    const cwd = await folder(project());
    const body = { bot_id: 'b', client_id: 'c', bot_secret: 'open-sesame-1234', organization_id: 'o' };
    const issue = ['api', 'issue_bot_token', '--write', '--log-level', 'debug', '-d', JSON.stringify(body)];
    const { asked, said } = await seated('send', issue, { cwd });
    expect(asked[0]).toContain('"bot_secret": "[withheld]"');
    expect(`${asked.join('')}${said}`).not.toContain('open-sesame');
  });

  test('A reset of an owned bot is lost to the ledger, which says so; a refused one changes nothing', async () => {
    const files = {
      ...project('secrets: { file: secrets.json }'),
      'manifest.yaml': 'version: 1\nbots: { triage: { name: Triage } }\n',
    };
    const cwd = await folder(files);
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const id = JSON.parse(await readFile(join(cwd, 'secrets.json'), 'utf8'))['bot/triage'].id;
    const reset = (body: object) =>
      chatform(['api', 'reset_bot_secret', '--write', '--yes', '-d', JSON.stringify(body)], { cwd });
    expect((await reset({ id })).code).toBe(0);
    const lost = (await eventsIn(cwd)).slice(-2);
    expect(lost).toMatchObject([
      { type: 'secret', address: 'bot/triage', id, state: 'lost' },
      { type: 'run', command: 'api reset_bot_secret', outcome: 'done' },
    ]);
    const plan = await chatform(['plan'], { cwd });
    expect(plan.stdout).toContain('bot/triage');
    const before = (await eventsIn(cwd)).length;
    expect((await reset({ id: 'f'.repeat(32) })).code).toBe(1);
    expect(await eventsIn(cwd)).toHaveLength(before);
  });

  test('A reply that repeats the token does not print it', async () => {
    const { url } = await service(json(200, { name: TOKEN, access_token: 'other', note: `has ${TOKEN}` }));
    const cwd = await folder(remote(url, 'organization_id: org-1'));
    const ran = await chatform(['api', 'get_customer', '--customer'], { cwd, env: CUSTOMER });
    expect(parsed(ran)).toEqual({ name: '[token]', access_token: '[withheld]', note: 'has [token]' });
    expect(ran.stderr).toContain('Withheld: 1 secret. --reveal prints the whole reply.');
  });
});

describe('the Customer Chat Web API', () => {
  const settings = ['organization_id: org-1', 'license_id: 12'];

  test('Its requests go out with the token of the customer, its region and the account of the version', async () => {
    const { asked, url } = await service(json(200, { total_chats: 0 }), json(200, { total_chats: 0 }));
    const cwd = await folder(remote(url, ...settings, 'customer_token_env: VISITOR'));
    const env = { ...CUSTOMER, VISITOR: 'fra:visitor' };
    const list = ['api', 'list_chats', '--customer', '-d', '{"limit": 2}'];
    expect((await chatform(list, { cwd, env })).code).toBe(0);
    expect((await chatform([...list, '--api-version', '3.3'], { cwd, env })).code).toBe(0);
    expect(asked).toEqual([
      expect.objectContaining({ method: 'POST', target: '/v3.6/customer/action/list_chats?organization_id=org-1' }),
      expect.objectContaining({ method: 'POST', target: '/v3.3/customer/action/list_chats?license_id=12' }),
    ]);
    for (const { authorization, region, body } of asked)
      expect([authorization, region, body]).toEqual(['Bearer fra:visitor', 'fra', '{"limit":2}']);
  });

  test('An action that needs no token is asked without one, and with a version of the target', async () => {
    const { asked, url } = await service(json(200, { group_id: 0 }));
    const cwd = await folder(remote(url, ...settings, 'customer_api_version: 3.3'));
    const ask = ['api', 'get_dynamic_configuration', '--customer', '-d', '{"url": "https://shop.example/a b"}'];
    const ran = await chatform(ask, { cwd });
    expect([ran.code, parsed(ran)]).toEqual([0, { group_id: 0 }]);
    expect(asked).toEqual([
      expect.objectContaining({
        method: 'GET',
        target: '/v3.3/customer/action/get_dynamic_configuration?license_id=12&url=https%3A%2F%2Fshop.example%2Fa%20b',
        authorization: null,
        body: '',
      }),
    ]);
  });

  test('A chat starts on the page that a header names, and the ledger is not concerned', async () => {
    const { asked, url } = await service(json(200, { chat_id: 'A', thread_id: 'B' }));
    const cwd = await folder(remote(url, ...settings));
    const start = [
      'api',
      'start_chat',
      '--customer',
      '--write',
      '--yes',
      '-H',
      'Referer: https://shop.example/pricing',
    ];
    const ran = await chatform(start, { cwd, env: CUSTOMER });
    expect([ran.code, ran.stderr, parsed(ran)]).toEqual([0, '', { chat_id: 'A', thread_id: 'B' }]);
    expect(asked[0]?.referer).toBe('https://shop.example/pricing');
  });

  test('A chat whose answer is lost is looked for with the flag of its API', async () => {
    const { url } = await service();
    const cwd = await folder(remote(url, ...settings));
    const { code, stderr } = await chatform(['api', 'start_chat', '--customer', '--write', '--yes'], {
      cwd,
      env: CUSTOMER,
    });
    expect([code, stderr]).toEqual([6, expect.stringContaining('look with `chatform api list_chats --customer`')]);
  });

  test('A file is sent as a form, with the type that its name says', async () => {
    const { asked, url } = await service(json(200, { url: 'https://cdn.example/1' }));
    const cwd = await folder({ ...remote(url, ...settings), 'photo.PNG': 'pixels' });
    const upload = ['api', 'upload_file', '--customer', '--write', '--yes', '--file', 'photo.PNG'];
    const ran = await chatform(upload, { cwd, env: CUSTOMER });
    expect([ran.code, parsed(ran)]).toEqual([0, { url: 'https://cdn.example/1' }]);
    expect(asked[0]?.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(asked[0]?.body).toContain('filename="photo.PNG"\r\ncontent-type: image/png\r\n\r\npixels\r\n');
  });

  test('The end of a version is a warning that names the API, and an unsupported version the setting', async () => {
    const unsupported = json(404, { error: { type: 'unsupported_version', message: 'no' } });
    const { url } = await service(json(200, {}, { legacy: '2020-01-31' }), unsupported);
    const cwd = await folder(remote(url, ...settings));
    const ask = ['api', 'get_customer', '--customer'];
    expect((await chatform(ask, { cwd, env: CUSTOMER })).stderr).toContain(
      'Warning: version 3.6 of the Customer Chat Web API is a legacy version; this stage ended on 2020-01-31',
    );
    expect((await chatform(ask, { cwd, env: CUSTOMER })).stderr).toContain(
      'set customer_api_version in chatform.yaml to a version that this license has',
    );
  });
});

test('It is among the commands, and its help names its flags', async () => {
  const cwd = await folder({});
  expect((await chatform(['help', '--all'], { cwd })).stdout).toMatch(/^ {2}api /m);
  const { stdout } = await chatform(['api', '--help'], { cwd });
  for (const flag of ['--customer', '--write', '--reveal', '--file', '--data', '--header'])
    expect(stdout).toContain(flag);
});
