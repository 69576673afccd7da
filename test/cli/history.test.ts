// `chatform history` and `undo --list`: what they say of real runs, as text, document, CSV and page.

import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { historySchema } from '../../src/features/history/schema.ts';
import { onTerminal, uncoloured } from '../../src/view/paint.ts';
import { chatform, folder } from './chatform.ts';
import { atTerminal, fakeTerminal, refusal } from './terminal.ts';

const manifest = (hours: string, more = ''): string => `version: 1
agents: { ann@example.com: { name: Ann, max_chats_count: ${hours}} }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first } }${more} }
`;

const JOB = { GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'bob', GITHUB_SHA: '3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c3f2a1b9c' };
const SECRETS = { GITHUB_TOKEN: 'ghs_of_the_job', CHAT_TOKEN: 'dal:of-the-license', HOME: '/home/runner' };

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  historySchema,
);

const home = process.cwd();

beforeEach(async () => {
  const target = '  here: { base_url: "emulator:license.json", ledger: ledger.ndjson, max_delete_percent: 100 }\n';
  process.chdir(await folder({ 'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target}` }));
  await applied(manifest('3'), {});
  await applied(manifest('8', ', vip: { name: VIP }'), { ...JOB, ...SECRETS });
  // The first one loads every module.
}, 60_000);

afterEach(() => process.chdir(home));

async function applied(text: string, env: Readonly<Record<string, string>>): Promise<void> {
  await writeFile('manifest.yaml', text);
  expect(await atTerminal(['apply', '--yes', '--quiet'], fakeTerminal(null, env).terminal)).toBe(0);
}

async function told(...args: readonly string[]): Promise<string> {
  const { terminal, said } = fakeTerminal(null);
  expect([await atTerminal(args, terminal), said()]).toEqual([0, said()]);
  return said();
}

async function document(...args: readonly string[]) {
  const found = JSON.parse(await told(...args, '--json'));
  expect(fits(found) ? [] : fits.errors).toEqual([]);
  return found;
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(historySchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/history.schema.json');
});

test('Runs are a table, newest first, with the person at the machine and the one who started the job', async () => {
  const text = await told('history');
  expect(text).toMatch(
    /^Target here {2}emulator:license.json {2}ledger ledger.ndjson\n\nRun +When \(UTC\) +How +Who +Undo +What\n/,
  );
  expect(text).toMatch(
    /apply {2}bob, 3f2a1b9c {2}yes .* {2}1 added, 1 changed\n[0-9a-f]{8} .* apply {2}ann@build-7 {4}in part.* 2 added/,
  );
});

test('One run has its fields before and after, by the beginning of its id', async () => {
  const { runs } = await document('history');
  const text = await told('history', runs[0].id.slice(0, 8));
  expect(text).toContain(`Run ${runs[0].id.slice(0, 8)}:\n`);
  expect(text).toContain('max_chats_count 3 -> 8\n');
  expect(text).toMatch(RegExp(`\\n\\nCan be undone: chatform undo -t here ${runs[0].id.slice(0, 8)}\\n$`));
  expect(text).toMatch(/who +bob, by GitHub Actions\n +commit 3f2a1b9c3f2a/);
  expect(await refusal(['history', 'nope'], fakeTerminal(null))).toBe(
    'Error: the ledger knows no run nope; `chatform history` lists them, and `chatform history --find nope` looks for it in names and reasons\n',
  );
});

test('An address says who changed it, in text, CSV and on a page', async () => {
  const text = await told('history', '--only', 'agent/ann@example.com', '--limit', '1');
  expect(text).toMatch(
    /apply, by bob, 3f2a1b9c:\n {2}~ agent\/ann@example.com\n {6}max_chats_count 3 -> 8\n\n1 run, newest first; 1 older: --limit N/,
  );
  const csv = await told('history', '--only', 'agent', '--csv', '--report', 'html=page.html');
  expect(csv.split('\r\n')[1]).toMatch(/,bob,,,3f2a.*,agent\/ann@example.com,changed,max_chats_count,3,8,$/);
  expect(await readFile('page.html', 'utf8')).toMatch(/History of .*here[\s\S]*max_chats_count[\s\S]*<code>3<\/code>/);
});

test('An agent has the memberships that its groups declare', async () => {
  expect(await told('history', '--only', 'agent/ann@example.com')).toMatch(
    /\n {2}\+ agent\/ann@example.com {2}Ann, 3 chats\n {2}\+ group\/sales\n {6}agent_priorities \+Ann \(first\)\n\n2 runs, newest first\.\n$/,
  );
});

test('The ledger has no token and no path of the environment', async () => {
  const log = await readFile('ledger.ndjson', 'utf8');
  for (const secret of Object.values(SECRETS)) expect(log).not.toContain(secret);
  expect(log.split('"by":').length - 1).toBe(4);
});

test('The reason of a run is in the ledger, the table, the run, the document and CSV; the title of a request by default', async () => {
  await writeFile('manifest.yaml', manifest('4'));
  const env = { CHATFORM_TOKEN: 'of-the-license' };
  const apply = [
    'apply',
    '--yes',
    '--quiet',
    '--acknowledge',
    'deletes',
    '--reason',
    'OPS-12:\tnew\u001b hours, of-the-license',
  ];
  expect(await atTerminal(apply, fakeTerminal(null, env).terminal)).toBe(0);
  const reason = 'OPS-12: new hours, [token]';
  const job = { GITLAB_CI: 'true', CI_MERGE_REQUEST_IID: '7', CI_MERGE_REQUEST_TITLE: 'Back to 3' };
  expect(await atTerminal(['undo', '--yes', '--quiet'], fakeTerminal(null, job).terminal)).toBe(0);
  const { runs } = await document('history', '--limit', '3');
  expect(runs.map((run: { reason: string | null }) => run.reason)).toEqual(['Back to 3 (!7)', reason, null]);
  const log = (await readFile('ledger.ndjson', 'utf8')).split('\n');
  expect(log.filter((line) => line.includes(`"reason":"${reason}"`))).toHaveLength(2);
  expect(await told('history')).toMatch(/apply +ann@build-7 .*\n +OPS-12: new hours, \[token\]\n/);
  expect(await told('history', runs[1].id)).toMatch(/\n +why +OPS-12: new hours, \[token\]\n/);
  expect(await told('history', '--only', 'agent', '--limit', '1')).toMatch(/by GitLab CI, #7:\n {2}Back to 3 \(!7\)\n/);
  expect(await told('history', '--csv')).toContain(`,here,"${reason}",`);
  for (const args of [apply.slice(0, -2), ['undo', '--yes'], ['destroy', '--yes']])
    expect(await refusal([...args, '--reason', ''], fakeTerminal(null))).toContain('the reason is empty');
});

test('--find looks in addresses, names, reasons and who, in any capitals, and says what of a run has the text', async () => {
  await writeFile('manifest.yaml', manifest('8', ', vip: { name: Key accounts }'));
  const env = { GITLAB_CI: 'true', GITLAB_USER_LOGIN: 'carla' };
  const apply = ['apply', '--yes', '--quiet', '--reason', 'OPS-12: larger clients'];
  expect(await atTerminal(apply, fakeTerminal(null, env).terminal)).toBe(0);
  const found = async (text: string) => {
    const { runs } = await document('history', '--find', text);
    return runs.map(({ objects }: { objects: { address: string }[] }) => objects.map(({ address }) => address));
  };
  expect(await found('KEY ACC')).toEqual([['group/vip'], ['group/vip']]);
  expect(await found('ann@example')).toEqual([['agent/ann@example.com'], ['agent/ann@example.com', 'group/sales']]);
  expect(await found('group/sal')).toEqual([['group/sales']]);
  expect(await found('ops-12')).toEqual([[]]);
  expect(await found('Carla')).toEqual([[]]);
  expect(await found('nowhere')).toEqual([]);
  expect(await told('history', '--find', 'ops-12')).toMatch(
    /apply, by carla:\n {2}OPS-12: larger clients\n\n? *1 changed\.\n\n1 run, newest first\.\n$/,
  );
  expect(await told('history', '--find', 'ops-12', '--csv')).toMatch(/,"?OPS-12: larger clients"?,.*,carla,.*\r\n$/);
  expect((await document('history', '--find', 'ops-12', '--only', 'group/vip')).runs).toMatchObject([
    { objects: [{}] },
  ]);
  expect((await document('history', '--find', 'ops-12', '--only', 'agent')).runs).toEqual([]);
  expect(await told('history', '--find', 'nowhere')).toContain('No run has "nowhere" in an address');
  expect(await refusal(['history', '--find', ' '], fakeTerminal(null))).toContain('--find is empty');
});

test('--since leaves out what ended before, and needs a day or a time', async () => {
  expect((await document('history', '--from', '2999-01-01')).runs).toEqual([]);
  expect(await told('history', '--from', '2999-01-01')).toContain('No run to show.');
  expect(await refusal(['history', '--from', 'monday'], fakeTerminal(null))).toContain('--from monday: write a day');
});

test('undo --list says what an undo then does', async () => {
  const list = await told('undo', '--list');
  expect(list).toMatch(
    /^Can be undone:\n {2}Run .*\n.*1 added, 1 changed\n\nCan be undone in part:\n {2}Run .*\n.*changed again since/m,
  );
  const { runs } = await document('undo', '--list');
  expect(await told('undo', runs[0].id, '--yes', '-q')).toContain('Undo complete.');
  const after = await document('undo', '--list');
  expect(after.runs.map(({ command, undo }: { command: string; undo: object }) => [command, undo])).toEqual([
    ['undo', { possible: 'yes', reason: null }],
    ['apply', { possible: 'no', reason: expect.stringMatching(/^run [0-9a-f]{8} took it back$/) }],
    ['apply', { possible: 'yes', reason: null }],
  ]);
});

test('On a terminal of 80 columns no line is longer', async () => {
  for (const args of [['history'], ['undo', '--list'], ['history', '--only', 'agent']]) {
    const { terminal, said } = fakeTerminal(null);
    await atTerminal(args, { ...terminal, paintOut: onTerminal(uncoloured, 80) });
    for (const line of said().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  }
});

test('Of several targets, each has its runs; one that never had the object is absent, and a damaged ledger fails', async () => {
  const targets = ['here', 'new', 'torn'].map(
    (name) => `  ${name}: { base_url: "emulator:${name}.json", ledger: ${name}.ndjson }\n`,
  );
  await writeFile('chatform.yaml', `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${targets.join('')}`);
  await writeFile('here.ndjson', await readFile('ledger.ndjson'));
  await writeFile('torn.ndjson', `torn\n${await readFile('ledger.ndjson', 'utf8')}`);
  const cwd = process.cwd();
  const { code, stdout } = await chatform(['history', '--all', '--only', 'agent/ann@example.com'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^here +2 +done\nnew +- +absent: .*\ntorn +- +failed: /m)]);
  expect(stdout).toContain('max_chats_count 3 -> 8\n');
  const csv = (await chatform(['history', '--all', '--csv'], { cwd })).stdout.split('\r\n');
  expect(csv[0]).toMatch(/^target,problem,run,at,.*,run_target,/);
  expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(['here', 'here', 'torn', '']);
  const { runs } = await document('history', '-t', 'here');
  expect((await chatform(['history', runs[0].id, '-t', 'here', '-t', 'new'], { cwd })).code).toBe(0);
});

test('A ledger without its project has its runs in every format, and goes with no target', async () => {
  const project = process.cwd();
  process.chdir(await folder({ 'shop.ndjson': await readFile('ledger.ndjson', 'utf8') }));
  expect(await told('history', '--ledger', 'shop.ndjson', '--report', 'markdown=runs.md')).toMatch(
    /^Ledger shop.ndjson\n\nRun +When/,
  );
  expect(await readFile('runs.md', 'utf8')).toMatch(/^### History of `shop.ndjson`: 2 runs\n/);
  expect(await document('history', '--ledger', 'shop.ndjson')).toMatchObject({ ledger: 'shop.ndjson', target: null });
  process.chdir(project);
  for (const target of [['--all'], ['-t', 'here'], ['-f', 'manifest.yaml', '--base-url', 'emulator:x.json']])
    expect(await refusal(['history', '--ledger', 'ledger.ndjson', ...target], fakeTerminal(null))).toMatch(/--ledger/);
});

test('A rule leads to an external group by the name that the plan has for it', async () => {
  const rules = `groups: { desk: { external: { name: VIP } } }
auto_access: [{ key: vip, access: { groups: [desk] }, conditions: { url: { values: [{ value: /vip }] } } }]
`;
  const target = '  here: { base_url: "emulator:license.json", ledger: other.ndjson }\n';
  await writeFile('chatform.yaml', `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target}`);
  await writeFile('manifest.yaml', `version: 1\n${rules}`);
  await told('apply', '--yes', '--quiet', '--assume-settled');
  const [run] = (await document('history')).runs;
  expect(await told('history', run.id)).toContain('+ auto_access/vip  URL contains /vip, to VIP\n');
});

test('After a compaction the history has the same lines, and an undo says why it cannot', async () => {
  const cwd = process.cwd();
  const clock = { now: () => Date.now() + 60 * 86_400_000, sleep: async () => {} };
  const printed = async (...args: readonly string[]) => (await chatform(args, { cwd, clock })).stdout;
  await printed('undo', '--yes', '--quiet');
  const shown = async () => {
    const { runs } = JSON.parse(await printed('history', '--json'));
    const csv = (await printed('history', '--csv', '--report', 'html=page.html')).trim().split('\r\n');
    const page = (await readFile('page.html', 'utf8'))
      .split('<tr>')
      .filter((row) => row.startsWith('<th scope="row">'));
    return {
      table: (await printed('history'))
        .split('\n')
        .flatMap((line) => (/^[0-9a-f]{8} /.test(line) ? [line.split(/ {2,}/).toSpliced(-2, 1)] : [])),
      runs: runs.map(({ values: _, undo: __, ...line }: Record<string, unknown>) => line),
      csv: csv.map((line) => line.replace(/(,[^,]*){2}$/, '')),
      page: page.map((line) =>
        line.replace(/<\/tbody>.*$/s, '').replace(/<td[^>]*>(?:(?!<td)[\s\S])*(?=<td(?:(?!<td)[\s\S])*$)/, ''),
      ),
    };
  };
  const before = await shown();
  expect(before.table).toHaveLength(3);
  expect(await printed('ledger', 'compact')).toMatch(/^Compacted/);
  const after = await shown();
  expect(after.table.slice(1)).toEqual(before.table);
  expect(after.runs.slice(1)).toEqual(before.runs);
  expect(after.csv.toSpliced(1, 1)).toEqual(before.csv);
  expect(after.page.slice(1)).toEqual(before.page);
  const id = before.runs[1].id;
  expect(await printed('history')).toMatch(
    /\nThe ledger was compacted on .* it has who, when and how many objects, not/,
  );
  expect(await printed('history', id)).toContain('A compaction removed the values of this run.');
  expect(await printed('undo', '--list')).toMatch(
    RegExp(`\n {2}${id.slice(0, 8)} .* a compaction removed its values\n`),
  );
  expect((await chatform(['undo', id, '--yes'], { cwd, clock })).stderr).toContain(
    `run ${id} cannot be undone: a compaction removed its values`,
  );
  expect((await document('history')).runs).toHaveLength(4);
});
