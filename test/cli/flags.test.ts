// What a user can get wrong before anything is read, and how the command line says so.

import { expect, test } from 'vitest';
import { chatform, folder, MANIFEST, project, spawned } from './chatform.ts';

test('An unknown flag, command or argument is fatal, and nothing runs', async () => {
  const cwd = await folder(project());
  for (const args of [
    ['apply', '--yes', '--dry-run'],
    ['plan', '--targte', 'here'],
    ['validate', '--yes'],
    ['plna'],
    ['plan', 'here'],
    ['init', '--force'],
    ['ledger', 'lock', '--yes'],
    ['ledger', 'take'],
    ['doctor', '--yes'],
    ['plan', '--api-version', '3.4'],
    ['plan', '--var', 'shop'],
    ['emulate', '--port', '65536'],
    ['emulate', '--propagation-delay', '5'],
    ['emulate', '--propagation-delay', '0s..121s'],
    ['plan', '--timeout', '99999999999999h'],
    ['fleet', 'worker', '--ttl', '745h'],
    ['ledger', 'compact', '--keep-days', '1000001'],
  ]) {
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toMatch(/^error: /);
  }
});

test('A flag that takes one value is refused when it is given twice, and a flag that takes many is not', async () => {
  const cwd = await folder(project());
  for (const args of [
    ['destroy', '-t', 'here', '-t', 'here'],
    ['destroy', '--target', 'here', '-there'],
    ['drift', '--timeout', '15m', '--timeout=1h'],
    ['-C', '.', '-C', '.', 'validate'],
    ['ledger', 'log', '-t', 'here', '-t', 'there'],
  ]) {
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect([args, code, stdout, stderr]).toEqual([
      args,
      1,
      '',
      expect.stringMatching(/^error: -[a-zC-]+.* takes one value, and was given twice: give it once\n/),
    ]);
  }
  const many = ['--only', 'agent', '--only', 'group', '--report', 'html=a.html', '--report', 'sarif=b.sarif'];
  expect(await chatform(['plan', '--detailed-exitcode', ...many], { cwd })).toMatchObject({ code: 2 });
});

test('A flag whose value was forgotten does not take the flag after it', async () => {
  const cwd = await folder(project());
  for (const args of [
    ['apply', '--all', '--resume', '-q'],
    ['plan', '--only', '--json'],
  ]) {
    const { code, stderr } = await chatform(args, { cwd });
    expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/^error: -.* needs a value, and the flag -/)]);
  }
});

test('With --json even an unknown flag leaves one document on stdout', async () => {
  const { code, stdout } = await chatform(['plan', '--json', '--bogus'], { cwd: await folder(project()) });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ errored: true, message: expect.stringContaining('--bogus') });
});

test('An unknown flag is named without its value, which may be a token', async () => {
  for (const args of [
    ['plan', '--token=dal:secret'],
    ['plan', '--json', '--token=dal:secret'],
  ]) {
    const { code, stdout, stderr } = await chatform(args, { cwd: await folder(project()) });
    expect([code, `${stdout}${stderr}`.includes('secret')]).toEqual([1, false]);
    expect(stderr).toContain("unknown option '--token'");
  }
});

test('An unknown target is named together with those that exist', async () => {
  const { code, stdout, stderr } = await chatform(['plan', '-t', 'there'], { cwd: await folder(project()) });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('there');
  expect(stderr).toContain('here');
});

test('-C runs in another folder, and one that is not there is named', async () => {
  const cwd = await folder(Object.fromEntries(Object.entries(project()).map(([name, text]) => [`shop/${name}`, text])));
  expect(await chatform(['-C', 'shop', 'validate'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await chatform(['-C', 'shopp', 'validate'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('shopp');
  expect(stderr).not.toContain('ENOENT');
});

test('Without chatform.yaml the way to get one is shown', async () => {
  const { code, stderr } = await chatform(['plan'], { cwd: await folder() });
  expect(code).toBe(1);
  for (const way of ['chatform init', '-C', '-f']) expect(stderr).toContain(way);
});

test('-f and --base-url do without chatform.yaml', async () => {
  const cwd = await folder({ 'manifest.yaml': MANIFEST });
  const target = ['-f', 'manifest.yaml', '--base-url', 'emulator:license.json', '--api-version', '3.6'];
  const { code, stdout } = await chatform(['plan', ...target], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('Plan: 3 to add, 0 to change, 0 to destroy on default.');
});

test('-f needs --base-url, and excludes -t', async () => {
  const cwd = await folder(project());
  const alone = await chatform(['plan', '-f', 'manifest.yaml'], { cwd });
  expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('--base-url')]);
  const both = await chatform(['plan', '-f', 'manifest.yaml', '--base-url', 'emulator:x.json', '-t', 'here'], { cwd });
  expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('-t')]);
});

test('A --base-url that is no address is refused by the check of files already', async () => {
  for (const url of ['license.json', 'ftp://example.com', 'https://user:secret@example.com', 'emulator:']) {
    const { code, stderr } = await chatform(['validate', '--base-url', url], { cwd: await folder(project()) });
    expect([url, code]).toEqual([url, 1]);
    expect(stderr).toContain('--base-url');
    expect(stderr).not.toContain('secret');
  }
});

test('A target on the network without its token names the variable', async () => {
  const cwd = await folder(project());
  const unset = await chatform(['plan', '--base-url', 'http://127.0.0.1:1'], { cwd });
  expect([unset.code, unset.stderr]).toEqual([1, expect.stringContaining('CHATFORM_TOKEN')]);
  const pasted = await chatform(['plan', '--base-url', 'http://127.0.0.1:1'], {
    cwd,
    env: { CHATFORM_TOKEN: 'dal%3Asesame' },
  });
  expect([pasted.code, pasted.stderr]).toEqual([1, expect.stringContaining('%3A')]);
  expect(pasted.stderr).not.toContain('sesame');
});

test('A file that chatform.yaml names and that is not there is reported with the line that names it', async () => {
  const cwd = await folder({
    'chatform.yaml':
      'version: 1\nmanifest: [manifests]\ntargets:\n  here: { base_url: "emulator:license.json", overlays: [over.yaml] }\n',
  });
  const { code, stderr } = await chatform(['validate'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/chatform.yaml:2:12: .*manifests: the file does not exist/);
  expect(stderr).toMatch(/chatform.yaml:4:\d+: .*over.yaml: the file does not exist/);
});

test('The help of a command leaves rare flags to --all, and says how many they are', async () => {
  const cwd = await folder();
  for (const name of ['validate', 'plan', 'apply']) {
    const { stdout } = await chatform([name, '--help'], { cwd });
    expect(stdout).not.toMatch(/--directory|--base-url/);
    const [, left] = /`chatform \w+ --help --all` lists (\d+) more/.exec(stdout) ?? [];
    const all = await Promise.all([
      chatform([name, '--help', '--all'], { cwd }),
      chatform(['help', name, '--all'], { cwd }),
    ]);
    expect(all[1]).toEqual(all[0]);
    const more = all[0].stdout.slice(all[0].stdout.indexOf('More:'), all[0].stdout.indexOf('Global Options:'));
    expect(more.match(/^ {2}-/gm)).toHaveLength(Number(left));
    expect(all[0].stdout).toMatch(/--base-url.*--directory/s);
  }
});

test('A former name ends with what it is called now', async () => {
  const cwd = await folder(project());
  for (const [args, now] of [
    [['verify', '-q'], '`verify` is `test --on customer` now'],
    [['-C', '.', 'lease', 'release', '--yes'], '`lease` is `ledger lock` and `ledger unlock` now'],
    [['plan', '--impact', '28d'], '--impact is --demand now'],
    [['drift', '--on', 'postgres'], '--on is --workers now'],
    [['test', '--live'], '--live is --on live now'],
  ] as const) {
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toContain(`error: ${now}\n`);
  }
});

test('A glob that covers nothing is a mistake, not an empty plan', async () => {
  const { code, stderr } = await chatform(['plan', '--only', 'groups/sales'], { cwd: await folder(project()) });
  expect(code).toBe(1);
  expect(stderr).toContain('groups/sales');
});

test('A glob that covers nothing is led to the address that is meant, if there is one', async () => {
  const files = { ...project(), 'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n' };
  const cwd = await folder(files);
  for (const glob of ['group/sale', 'groups/sales', 'sales'])
    expect((await chatform(['plan', '--only', glob], { cwd })).stderr).toContain('did you mean group/sales?');
  expect((await chatform(['plan', '--only', 'groups'], { cwd })).stderr).toContain('did you mean group?');
  for (const glob of ['group/x*', 'bot/night'])
    expect((await chatform(['plan', '--only', glob], { cwd })).stderr).toContain('addresses look like group/sales');
});

test('A stranger that may be deleted can be selected, and one that is not there is a mistake', async () => {
  const cwd = await folder({
    ...project('prune: { group: all }'),
    'manifest.yaml': 'version: 1\ngroups: { "2": { name: Sales } }\n',
    'license.json': JSON.stringify({ groups: [{ name: 'Sales' }, { name: 'Two' }, { name: 'Three' }] }),
  });
  for (const [glob, deleted] of [
    ['group/3', 'group/3'],
    ['group/id/2', 'group/id/2'],
  ]) {
    const { code, stdout } = await chatform(['plan', '--json', '--only', glob ?? ''], { cwd });
    const changes: readonly { readonly address: string }[] = JSON.parse(stdout).resource_changes;
    expect([glob, code, changes.map(({ address }) => address)]).toEqual([glob, 0, [deleted]]);
  }
  const { code, stderr } = await chatform(['plan', '--only', 'group/9'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('group/9')]);
});

test('--version and --help of every command end well', async () => {
  const cwd = await folder();
  expect((await spawned(['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const command of ['validate', 'plan', 'apply', 'doctor', 'ledger', 'init', 'emulate', 'completion']) {
    const { code, stdout, stderr } = await chatform([command, '--help'], { cwd });
    expect([command, code, stderr]).toEqual([command, 0, '']);
    expect(stdout).toContain(`Usage: chatform ${command}`);
  }
});

test('A --var that no file asks for is refused, and the one that was meant is named', async () => {
  const manifest = 'version: 1\ngroups: { sales: { name: "${var.shop}" } }\n';
  const cwd = await folder({ ...project('vars: { shop: old }'), 'manifest.yaml': manifest });
  const { code, stdout, stderr } = await chatform(['plan', '--var', 'shpo=new'], { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('--var shpo: none of the files has ${var.shpo}; did you mean `shop`?');
  expect((await chatform(['validate', '--var', 'shop=new'], { cwd })).code).toBe(0);
});

test('A file of values counts less than --var, a declared variable needs no use, and an approved plan binds the values', async () => {
  const manifest = `version: 1
variables: { shop: { type: string, default: Shop }, alerts: { type: list, default: [ticket] }, idle: { type: map } }
agents: { ann@example.com: { name: Ann, notifications: "\${var.alerts}" } }
groups: { sales: { name: "\${var.shop}" } }
`;
  const values = {
    'prod.yaml': 'shop: Northpine\nalerts: [incoming_chat]\n',
    'late.yaml': 'alerts: [mute_all_sounds]\n',
  };
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, ...values });
  const given = ['--var-file', 'prod.yaml', '--var-file', 'late.yaml'];
  const flags = [...given, '--var', 'shop=Shop 2', '--var', 'idle={}'];
  const { stdout } = await chatform(['plan', '--json', ...flags], { cwd });
  const changes: readonly { readonly address: string; readonly change: { readonly after: unknown } }[] =
    JSON.parse(stdout).resource_changes;
  expect(Object.fromEntries(changes.map(({ address, change }) => [address, change.after]))).toMatchObject({
    'agent/ann@example.com': { notifications: ['mute_all_sounds'] },
    'group/sales': { name: 'Shop 2' },
  });
  expect(await chatform(['plan', '--out', 'plan.json', ...flags], { cwd })).toMatchObject({ code: 0 });
  expect(await chatform(['apply', 'plan.json', '--yes', ...given], { cwd })).toMatchObject({ code: 5 });
  expect(await chatform(['apply', 'plan.json', '--yes', ...flags], { cwd })).toMatchObject({ code: 0 });
  expect(await chatform(['show', 'plan.json', ...given], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('leave out --var-file'),
  });
});
