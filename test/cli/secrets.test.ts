// `chatform secrets`, and what an apply does with secrets, on the emulator: sinks that work, fail and are killed, and what is rescued.

import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, filesIn, folder, project, start } from './chatform.ts';
import { served } from './served.ts';

const BOTS = `version: 1
bots:
  triage: { name: Triage }
  welcome: { name: Welcome }
bot_templates:
  helper: { name: Helper, owner_client_id: shop-client }
`;

/** With bots, and these settings. */
const files = (...settings: readonly string[]): { readonly [name: string]: string } => ({
  ...project(...settings),
  'manifest.yaml': BOTS,
});
const projectWith = (setting: string): string => files(setting)['chatform.yaml'] ?? '';
const FILE = 'secrets: { file: secrets.json }';

async function applied(...settings: readonly string[]): Promise<string> {
  const cwd = await folder(files(...settings));
  const { code, stderr, stdout } = await chatform(['apply', '--yes', '-q'], { cwd });
  expect([code, stderr, stdout]).toEqual([0, '', expect.anything()]);
  return cwd;
}

const secretsIn = async (cwd: string, name = 'secrets.json'): Promise<Record<string, { id: string; secret: string }>> =>
  JSON.parse(await readFile(join(cwd, name), 'utf8'));

const rescuesIn = async (cwd: string) => (await readdir(cwd)).filter((name) => name.includes('.rescue.'));

const lastEvents = async (cwd: string, count: number) =>
  (await readFile(join(cwd, 'ledger.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => JSON.parse(line));

/** Whether the emulator's license takes this for a secret of the bot: it keeps digests. */
async function isValid(cwd: string, id: string, secret: string): Promise<boolean> {
  const license = await readFile(join(cwd, 'license.json'), 'utf8');
  const digest = createHash('sha256').update(secret).digest('hex');
  return license.includes(digest) && license.includes(id);
}

test('A rotated secret replaces the one in the file, nothing else changes, and no output has it', async () => {
  const cwd = await applied(FILE);
  const before = await secretsIn(cwd);
  const ran = await chatform(['secrets', 'rotate', 'bot/triage', '--yes', '--json'], { cwd });
  const after = await secretsIn(cwd);
  const { 'bot/triage': old, ...others } = before;
  const { 'bot/triage': now, ...same } = after;
  expect([ran.code, ran.stderr, same]).toEqual([0, '', others]);
  expect(now?.id).toBe(old?.id);
  expect(now?.secret).not.toBe(old?.secret);
  expect(await isValid(cwd, now?.id ?? '', now?.secret ?? '')).toBe(true);
  expect(await isValid(cwd, old?.id ?? '', old?.secret ?? '')).toBe(false);
  expect(JSON.parse(ran.stdout)).toEqual({
    format_version: '1.0',
    errored: false,
    target: 'here',
    sink: 'secrets.json',
    outcome: 'done',
    message: null,
    secrets: [{ address: 'bot/triage', id: now?.id, state: 'kept', path: null, reason: null }],
    requests_sent: { reset_bot_secret: 1 },
    diagnostics: [],
  });
  const { 'secrets.json': _, ...rest } = await filesIn(cwd);
  expect(JSON.stringify([ran, rest])).not.toContain(now?.secret);
});

test('Several are rotated at once; a template names its owner client, and tells other licenses only when asked to', async () => {
  const cwd = await applied(FILE);
  const before = await secretsIn(cwd);
  const flags = ['secrets', 'rotate', 'bot/*', 'bot_template/helper', '--yes'];
  const { code, stdout } = await chatform(flags, { cwd });
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      'bot/triage: its new secret is in secrets.json',
      'bot/welcome: its new secret is in secrets.json',
      'bot_template/helper: its new secret is in secrets.json',
      '',
    ],
  ]);
  const after = await secretsIn(cwd);
  for (const [address, { secret }] of Object.entries(before)) expect(after[address]?.secret).not.toBe(secret);
  const wide = ['secrets', 'rotate', 'bot_template/helper', '--existing-installations'];
  const asked = await chatform(wide, { cwd });
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('use --yes to rotate')]);
  expect((await chatform([...wide, '--yes'], { cwd })).code).toBe(0);
  const wrong = await chatform(['secrets', 'rotate', 'bot/triage', '--existing-installations', '--yes'], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('nothing is installed from bot/triage')]);
});

test('A personal access token names the owner client, also one that only the service knows', async () => {
  const manifest = 'version: 1\nbots: { triage: { name: Triage, owner_client_id: shop } }\n';
  const cwd = await folder({ ...project(FILE, 'account_id: account-1'), 'manifest.yaml': manifest });
  const how = { cwd, env: { CHATFORM_TOKEN: 'token' } };
  const make = await chatform(['apply', '--yes', '-q'], how);
  expect([make.code, make.stderr]).toEqual([0, '']);
  const rotate = () => chatform(['secrets', 'rotate', 'bot/triage', '--yes', '--json'], how);
  expect(JSON.parse((await rotate()).stdout)).toMatchObject({ requests_sent: { reset_bot_secret: 1 } });
  const ledger = join(cwd, 'ledger.ndjson');
  const lines = (await readFile(ledger, 'utf8')).split('\n');
  await writeFile(ledger, lines.filter((line) => !line.includes('"applied"')).join('\n'));
  expect(JSON.parse((await rotate()).stdout)).toMatchObject({ errored: false, requests_sent: { get_bot: 1 } });
});

test('What is not ours, has no secret, or is not known in 3.3 is refused with what would be right', async () => {
  const cwd = await applied(FILE);
  const refusal = async (address: string) => {
    const { code, stdout, stderr } = await chatform(['secrets', 'rotate', address, '--yes'], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  expect(await refusal('bot/triag')).toContain('bot/triag is not owned, so its id is not known; did you mean');
  expect(await refusal('group/sales')).toMatch(/group\/sales is not owned/);
  const old = await folder(files(FILE, 'api_version: "3.3"'));
  await writeFile(
    join(old, 'manifest.yaml'),
    'version: 1\nbots: { triage: { name: Triage } }\nagents: { a@example.com: { name: A } }\ngroups: { g: { name: G, agent_priorities: { a@example.com: normal } } }\n',
  );
  expect((await chatform(['apply', '--yes', '-q'], { cwd: old })).code).toBe(0);
  const told = async (address: string) =>
    (await chatform(['secrets', 'rotate', address, '--yes'], { cwd: old })).stderr;
  expect(await told('bot/triage')).toContain(
    'version 3.3 of the service has no secret of a bot: set `api_version` to 3.5 or later',
  );
  expect(await told('group/g')).toContain('group/g has no secret: bots and bot templates have one');
  const none = await folder(files());
  const { stderr } = await chatform(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd: none });
  expect(stderr).toContain('target here has no place for secrets');
});

/** Fails for as long as there is a file `away`. */
const VAULT = `#!/bin/sh
if [ -e away ]; then cat >&2; exit 9; fi
cat >> vault
`;

async function withVault(): Promise<string> {
  const cwd = await folder({ ...files('secrets: { command: [./vault.sh] }'), 'vault.sh': VAULT });
  await chmod(join(cwd, 'vault.sh'), 0o755);
  return cwd;
}

const vaultOf = async (cwd: string) =>
  (await readFile(join(cwd, 'vault'), 'utf8'))
    .trimEnd()
    .split('\n')
    .flatMap((line): { address: string; secret: string }[] => JSON.parse(line).secrets);

test('A sink that fails after the reset: the secret is rescued, named, and put into the sink later', async () => {
  const cwd = await withVault();
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  await writeFile(join(cwd, 'away'), '');
  const ran = await chatform(['secrets', 'rotate', 'bot/triage', 'bot/welcome', '--yes'], { cwd });
  expect([ran.code, ran.stdout]).toEqual([6, expect.stringContaining('rescue file ledger.ndjson.rescue.1')]);
  expect(ran.stdout).toContain('[secret]');
  expect(ran.stdout).toContain('bot/welcome: not reset');
  const [rescued] = Object.values(await secretsIn(cwd, 'ledger.ndjson.rescue.1'));
  expect(JSON.stringify(ran)).not.toContain(rescued?.secret);
  expect((await stat(join(cwd, 'ledger.ndjson.rescue.1'))).mode & 0o777).toBe(0o600);
  expect(await lastEvents(cwd, 2)).toMatchObject([
    { type: 'secret', address: 'bot/triage', state: 'rescued' },
    { type: 'run', command: 'secrets rotate', outcome: 'partial' },
  ]);

  const still = await chatform(['secrets', 'rescue'], { cwd });
  expect([still.code, await rescuesIn(cwd)]).toEqual([1, ['ledger.ndjson.rescue.1']]);
  expect(still.stderr).not.toContain(rescued?.secret);
  const again = await chatform(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd });
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('chatform secrets rescue')]);

  await writeFile(join(cwd, 'vault.sh'), VAULT.replace('away', 'never'));
  const late = await chatform(['secrets', 'rescue', '--json'], { cwd });
  expect(JSON.parse(late.stdout)).toMatchObject({
    errored: false,
    sink: 'the command ./vault.sh',
    secrets: [{ address: 'bot/triage', id: rescued?.id }],
    removed: ['ledger.ndjson.rescue.1'],
  });
  expect([late.code, await rescuesIn(cwd)]).toEqual([0, []]);
  expect((await vaultOf(cwd)).at(-1)).toMatchObject({ address: 'bot/triage', secret: rescued?.secret });
  expect(late.stdout).not.toContain(rescued?.secret);
  expect(await lastEvents(cwd, 2)).toMatchObject([{ type: 'secret', state: 'kept' }, { type: 'run' }]);
  expect(await chatform(['secrets', 'rescue'], { cwd })).toMatchObject({ code: 0, stdout: 'Nothing to rescue.\n' });
});

test('A sink that fails during an apply: the objects are ours, their secrets are rescued, and the report says where', async () => {
  const cwd = await withVault();
  await writeFile(join(cwd, 'away'), '');
  const ran = await chatform(['apply', '--yes', '--json'], { cwd });
  const { rescued_secrets: rescued, lost_secrets: lost } = JSON.parse(ran.stdout);
  expect([ran.code, lost]).toEqual([6, []]);
  expect(rescued.map(({ address }: { address: string }) => address).sort()).toEqual([
    'bot/triage',
    'bot/welcome',
    'bot_template/helper',
  ]);
  const waiting = (await Promise.all((await rescuesIn(cwd)).map((name) => secretsIn(cwd, name)))).flatMap((each) =>
    Object.values(each),
  );
  for (const { secret } of waiting) expect(JSON.stringify(ran)).not.toContain(secret);
  await writeFile(join(cwd, 'vault.sh'), VAULT.replace('away', 'never'));
  expect((await chatform(['secrets', 'rescue'], { cwd })).code).toBe(0);
  const kept = (await vaultOf(cwd)).map(({ secret }) => secret).sort();
  expect(kept).toEqual(waiting.map(({ secret }) => secret).sort());
});

test('A sink that is killed has kept nothing: what it was to keep is rescued', async () => {
  const cwd = await applied(FILE);
  const flags = 'secrets: { command: [sh, -c, "cat > told; echo $$ > pid; exec sleep 60"] }';
  await writeFile(join(cwd, 'chatform.yaml'), projectWith(flags));
  const running = start(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd });
  const pid = await waitFor(join(cwd, 'pid'));
  process.kill(Number(pid), 'SIGKILL');
  const { code, stdout } = await running.ended;
  expect([code, stdout]).toEqual([6, expect.stringContaining('was killed by SIGKILL')]);
  const { secrets } = JSON.parse(await readFile(join(cwd, 'told'), 'utf8'));
  expect(Object.values(await secretsIn(cwd, 'ledger.ndjson.rescue.1'))[0]?.secret).toBe(secrets[0].secret);
});

test('A Ctrl-C waits for the sink, which does not hear of it; a kill leaves a ledger that knows that the secret is lost', async () => {
  const cwd = await applied(FILE);
  const slow =
    'secrets: { command: [sh, -c, "trap \\"touch heard\\" INT TERM; cat > told; echo $$ > pid; until [ -e go ]; do sleep 0.05; done"] }';
  await writeFile(join(cwd, 'chatform.yaml'), projectWith(slow));
  const running = start(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd });
  await waitFor(join(cwd, 'pid'));
  running.kill('SIGINT');
  await running.says('stderr', 'Stopping');
  await writeFile(join(cwd, 'go'), '');
  const { code, stdout } = await running.ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining('its new secret is in')]);
  expect(await readdir(cwd)).not.toContain('heard');

  await writeFile(
    join(cwd, 'chatform.yaml'),
    projectWith(slow.replace('-e go', '-e never').replace('> pid', '> pid2')),
  );
  const second = start(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd });
  const sink = Number(await waitFor(join(cwd, 'pid2')));
  second.kill('SIGKILL');
  await second.ended;
  process.kill(-sink, 'SIGKILL');
  expect((await lastEvents(cwd, 1))[0]).toMatchObject({ type: 'secret', address: 'bot/triage', state: 'lost' });
});

/** The content of a file, as soon as it has some. */
async function waitFor(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('An env file has the secrets beside what was there', async () => {
  const cwd = await folder({ ...files('secrets: { env_file: .env }'), '.env': 'PORT=8080\n' });
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  const before = await readFile(join(cwd, '.env'), 'utf8');
  expect(before).toMatch(/^PORT=8080\n/);
  expect(before).toMatch(/^BOT_TEMPLATE_HELPER_SECRET=\S+$/m);
  expect((await chatform(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd })).code).toBe(0);
  const changed = (await readFile(join(cwd, '.env'), 'utf8')).split('\n').filter((line) => !before.includes(line));
  expect(changed).toEqual([expect.stringMatching(/^BOT_TRIAGE_SECRET=/)]);
});

test('An env file that another line stands in the way of refuses the apply before anything is made', async () => {
  const cwd = await folder({ ...files('secrets: { env_file: .env }'), '.env': 'BOT_TRIAGE_SECRET=mine\n' });
  const { code, stderr } = await chatform(['apply', '--yes', '-q'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('line 1 sets BOT_TRIAGE_SECRET')]);
  expect(stderr).not.toContain('mine');
  expect(await readdir(cwd)).not.toContain('license.json');
});

test('A command is told its target, and not the token', async () => {
  const place = `secrets: { command: [sh, -c, 'cat > /dev/null; echo "$CHATFORM_TARGET $CHATFORM_TOKEN $OTHER" >> seen'] }`;
  const cwd = await folder(files(place));
  await chatform(['apply', '--yes', '-q'], { cwd, env: { CHATFORM_TOKEN: 'dal:open-sesame', OTHER: 'x' } });
  expect(new Set((await readFile(join(cwd, 'seen'), 'utf8')).trim().split('\n'))).toEqual(new Set(['here  x']));
});

test('A rescued secret of an object that its address is no longer bound to is dropped', async () => {
  const cwd = await applied(FILE);
  const { 'bot/triage': triage, 'bot/welcome': welcome } = await secretsIn(cwd);
  const waiting = {
    'bot/triage': { id: 'of-another-time', secret: 'old-secret' },
    'bot/former-name': { id: welcome?.id, secret: 'new-secret' },
    'bot/unheard-of': { id: 'unknown', secret: 'its-secret' },
  };
  await writeFile(join(cwd, 'ledger.ndjson.rescue.3'), JSON.stringify(waiting));
  const { code, stdout } = await chatform(['secrets', 'rescue'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('bot/triage: dropped')]);
  expect(await secretsIn(cwd)).toMatchObject({
    'bot/triage': triage,
    'bot/welcome': { id: welcome?.id, secret: 'new-secret' },
    'bot/unheard-of': { secret: 'its-secret' },
  });
});

test('The help says what each does', async () => {
  for (const command of ['rotate', 'rescue']) {
    const { code, stdout } = await chatform(['secrets', command, '--help'], { cwd: await folder() });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: chatform secrets ${command}`)]);
  }
});

const ORGANIZATION = 'organization_id: org-1';

interface Entry {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
  readonly token_expires_at?: string;
}

test('A token of a bot is in the file next to its secret, the ledger knows of it, and no output has it', async () => {
  const cwd = await applied(FILE, ORGANIZATION);
  const before = await secretsIn(cwd);
  const ran = await chatform(['secrets', 'token', 'bot/triage', '--log-level', 'debug'], { cwd });
  const after = (await secretsIn(cwd)) as Record<string, Entry>;
  const { token = '', token_expires_at: until = '', ...rest } = after['bot/triage'] ?? { id: '', secret: '' };
  expect({ ...after, 'bot/triage': rest }).toEqual(before);
  expect([ran.code, ran.stdout]).toEqual([
    0,
    `bot/triage: its token is in secrets.json, and ends ${until.slice(0, 19)}Z\n`,
  ]);
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(await isValid(cwd, rest.id, token)).toBe(true);
  const { 'secrets.json': _, ...others } = await filesIn(cwd);
  for (const hidden of [token, rest.secret])
    expect(`${ran.stdout}${ran.stderr}${JSON.stringify(others)}`).not.toContain(hidden);
  expect(await lastEvents(cwd, 2)).toMatchObject([
    { type: 'token', address: 'bot/triage', id: rest.id, state: 'kept', until },
    { type: 'run', command: 'secrets token', outcome: 'done', by: { user: expect.any(String) }, target: 'here' },
  ]);
  const history = await chatform(['history', '--limit', '1'], { cwd });
  expect(history.stdout).toMatch(/ secrets token +\S+@\S+ +no: .+ {2}1 token$/m);
  const listed = await chatform(['secrets', 'list'], { cwd });
  expect(listed.stdout).toMatch(/^ADDRESS +ID +SECRET +TOKEN\nbot\/triage +\S+ +in the sink +in the sink, until .*Z\n/);
  expect(listed.stdout).toMatch(/^bot_template\/helper +\S+ +in the sink +none$/m);
});

test('A rotation keeps the token of the bot, and the next token replaces it', async () => {
  const cwd = await applied('secrets: { env_file: .env }', ORGANIZATION);
  const lines = async () =>
    (await readFile(join(cwd, '.env'), 'utf8')).split('\n').filter((line) => /TRIAGE/.test(line));
  const issue = () => chatform(['secrets', 'token', 'bot/triage', '--json'], { cwd });
  expect(JSON.parse((await issue()).stdout)).toMatchObject({ errored: false, token: { state: 'kept', reason: null } });
  const [secret, token] = await lines();
  expect((await chatform(['secrets', 'rotate', 'bot/triage', '--yes'], { cwd })).code).toBe(0);
  expect(await lines()).toEqual([expect.not.stringContaining(secret ?? ''), token]);
  expect((await issue()).code).toBe(0);
  const [, newer] = await lines();
  expect([token, newer]).toEqual([
    expect.stringMatching(/^BOT_TRIAGE_TOKEN=dal:/),
    expect.stringMatching(/^BOT_TRIAGE_TOKEN=dal:/),
  ]);
  expect(newer).not.toBe(token);
});

test('A program gets tokens as tokens, and the secret of the bot comes from the environment', async () => {
  const place = await folder({
    ...files('secrets: { command: [sh, keep.sh] }', ORGANIZATION),
    'keep.sh': 'cat >> kept\n',
  });
  expect((await chatform(['apply', '--yes', '-q'], { cwd: place })).code).toBe(0);
  const issue = (env = {}) =>
    chatform(['secrets', 'token', 'bot/triage', '--secret-env', 'SECRET'], { cwd: place, env });
  const told = await readFile(join(place, 'kept'), 'utf8');
  const secrets = told.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).secrets));
  const SECRET = secrets.find(({ address }) => address === 'bot/triage').secret;
  const blind = await chatform(['secrets', 'token', 'bot/triage'], { cwd: place });
  expect([blind.code, blind.stderr]).toEqual([
    1,
    expect.stringMatching(/the command sh keeps the secret of bot\/triage and cannot be asked/),
  ]);
  expect((await issue()).stderr).toBe('Error: --secret-env SECRET: the environment variable SECRET is not set\n');
  expect((await issue({ SECRET })).code).toBe(0);
  const [line] = (await readFile(join(place, 'kept'), 'utf8')).slice(told.length).trimEnd().split('\n');
  expect(JSON.parse(line ?? '')).toEqual({
    tokens: [
      { address: 'bot/triage', id: expect.any(String), token: expect.any(String), expires_at: expect.any(String) },
    ],
  });
  await writeFile(join(place, 'keep.sh'), 'cat > /dev/null\necho sealed >&2\nexit 1\n');
  const lost = await issue({ SECRET });
  expect([lost.code, lost.stdout]).toEqual([6, expect.stringMatching(/^bot\/triage: its token is lost: .*: sealed\n/)]);
  expect((await chatform(['secrets', 'list'], { cwd: place })).stdout).toMatch(/^bot\/triage .* lost, until /m);
});

test('The ledger knows of a token before it is asked for: without an answer, history and secrets say that it may exist', async () => {
  const cwd = await folder(files(FILE, ORGANIZATION));
  const ledger = join(cwd, 'ledger.ndjson');
  let atRequest = '';
  const { url } = await served({}, (handle) => async (request) => {
    if (!request.target.endsWith('/issue_bot_token')) return handle(request);
    atRequest = await readFile(ledger, 'utf8');
    const answer = await handle(request);
    if (answer.status === 200) throw new Error('the answer is lost');
    return answer;
  });
  const text = files(FILE, ORGANIZATION)['chatform.yaml'] ?? '';
  await writeFile(join(cwd, 'chatform.yaml'), text.replace('emulator:license.json', url));
  const env = { CHATFORM_TOKEN: 'dal:token', SECRET: 'wrong-secret' };
  const said = async (...args: readonly string[]) => (await chatform(args, { cwd, env })).stdout;
  expect((await chatform(['apply', '--yes', '-q'], { cwd, env })).code).toBe(0);
  const issue = (...args: readonly string[]) => chatform(['secrets', 'token', 'bot/triage', ...args], { cwd, env });

  const lost = await issue();
  expect([lost.code, lost.stdout]).toEqual([
    6,
    expect.stringMatching(
      /^bot\/triage: a token of it may have been issued, and the answer was lost: .+\nIt is stored nowhere, and ends .*Z\. Run the command again\.\n$/,
    ),
  ]);
  const asked = { type: 'token', address: 'bot/triage', state: 'asked' };
  const begun = { type: 'begun', command: 'secrets token', by: { user: expect.any(String) } };
  const written = atRequest.trimEnd().split('\n').slice(-2);
  expect(written.map((line) => JSON.parse(line))).toMatchObject([begun, asked]);
  expect(await lastEvents(cwd, 2)).toMatchObject([asked, { type: 'run', outcome: 'partial' }]);
  const unanswered = /^bot\/triage +\S+ +in the sink +none; perhaps one without an answer, until \S+Z$/m;
  expect(await said('secrets', 'list')).toMatch(unanswered);
  expect(await said('history', '--limit', '1')).toMatch(
    / secrets token +\S+ +no: .+ {2}in part: 1 token without an answer$/m,
  );

  await writeFile(ledger, atRequest);
  expect(await said('history', '--limit', '1')).toMatch(
    / secrets token +\S+ +no: .+ {2}killed: 1 token without an answer$/m,
  );
  const refused = await issue('--secret-env', 'SECRET');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the service issues no token')]);
  expect(await lastEvents(cwd, 2)).toMatchObject([{ state: 'refused' }, { type: 'run', outcome: 'failed' }]);
  expect(await said('history', '--limit', '2')).toMatch(/ failed: no changes$\n.* killed: 1 token without an answer$/m);
  expect(await said('secrets', 'list')).toMatch(unanswered);
  expect(await said('ledger', 'log', 'bot/triage')).toMatch(/was asked for, and whether it was issued is not recorded/);
});

test('What is missing for a token is said before anything is sent', async () => {
  const cwd = await applied(FILE);
  const refused = async (...args: readonly string[]) => {
    const { code, stderr } = await chatform(['secrets', 'token', ...args], { cwd });
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refused('bot/triage')).toMatch(
    /target here has no organization_id, .*: add `organization_id: ID` under `targets: here:` in chatform.yaml/,
  );
  await writeFile(join(cwd, 'chatform.yaml'), files(FILE, ORGANIZATION)['chatform.yaml'] ?? '');
  expect(await refused('bot/*')).toMatch(/bot\/\* covers 2 objects, and a token is of one bot/);
  expect(await refused('bot_template/helper')).toMatch(/bot_template\/helper has no token: only bots have one/);
  expect(await refused('bot/triaj')).toMatch(/bot\/triaj is not owned/);
  expect(await refused('bot/triage', '--secrets-file', 'other.json')).toMatch(
    /is not in other\.json: `chatform secrets rotate bot\/triage`/,
  );
  const wrong = await chatform(['secrets', 'token', 'bot/triage', '--secret-env', 'S'], {
    cwd,
    env: { S: 'wrong-secret' },
  });
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/the service issues no token for bot\/triage: its secret, /),
  ]);
});
