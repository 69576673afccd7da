// Attacks on files of the machine by a project that names them: no output of any command repeats what stands in them.

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatform, folder } from '../cli/chatform.ts';
import { tries } from '../tries.ts';

/** What an attacker would like to read, as files that chatform could be made to parse. */
const SECRETS: { readonly [name: string]: string } = {
  'passwd of users': 'root:x:0:0:s3cr3t:/root:/bin/bash\ndaemon:x:1:1:t0ps3cr3t:/usr/sbin:/bin/sh\n',
  'YAML that is no manifest': 's3cr3t_name: s3cr3t value\nagents: { t0ps3cr3t: { nme: s3cr3t } }\n',
  JSON: '{"auths": {"s3cr3t.example": {"auth": "t0ps3cr3t"}}}',
  'a key': '-----BEGIN OPENSSH PRIVATE KEY-----\ns3cr3tAAAAt0ps3cr3t\n-----END OPENSSH PRIVATE KEY-----\n',
  'YAML that is wrong': 'version: 1\nagents: [s3cr3t, {t0ps3cr3t: "\n',
  'an environment': 'TOKEN=s3cr3t\u0000PASSWORD=t0ps3cr3t\u0000',
  'broken JSON': '{"s3cr3t": t0ps3cr3t}',
};

const TARGET = (more = ''): string => `targets: { here: { base_url: 'emulator:license.json'${more} } }\n`;

/** A project in a repository, and a file outside of it. */
async function project(text: string, chatformYaml: (outside: string) => string) {
  const root = await folder();
  const [cwd, outside] = [join(root, 'repository/project'), join(root, 'machine/secret.yaml')];
  for (const path of [join(cwd, 'x'), outside, join(root, 'repository/.git/x')])
    await mkdir(dirname(path), { recursive: true });
  await writeFile(outside, text);
  await writeFile(join(root, 'repository/.git/config'), text);
  await writeFile(join(cwd, 'good.yaml'), 'version: 1\ngroups: { sales: { name: Sales } }\n');
  await writeFile(join(cwd, 'chatform.yaml'), `version: 1\n${chatformYaml(outside)}`);
  return { cwd, outside };
}

const OF_MANIFEST = (path: string): string => `manifest: ['${path}']\n${TARGET()}`;

async function validated(cwd: string, ...more: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const json of [[], ['--json']]) {
    const { code, stdout, stderr } = await chatform(['validate', ...more, ...json], { cwd });
    expect([code, stdout + stderr]).toEqual([1, expect.anything()]);
    texts.push(stdout, stderr);
  }
  return texts.join('\n');
}

/** No line, and no name or value of it. */
function expectNothingOf(said: string): void {
  for (const word of ['s3cr3t', 'BEGIN', 'auths', 'PASSWORD', '/usr/sbin']) expect(said).not.toContain(word);
}

describe.each(Object.entries(SECRETS).slice(0, tries(7, 3)))('%s', (_, text) => {
  test('as a manifest, by its path, a way up, links, and from .git', async () => {
    const said: string[] = [];
    for (const path of [
      'OUTSIDE',
      '../../machine/secret.yaml',
      'link.yaml',
      'linked/secret.yaml',
      'linked',
      '../.git/config',
    ]) {
      const { cwd, outside } = await project(text, (at) => OF_MANIFEST(path.replace('OUTSIDE', at)));
      await symlink(outside, join(cwd, 'link.yaml'));
      await symlink(dirname(outside), join(cwd, 'linked'));
      said.push(await validated(cwd));
    }
    expectNothingOf(said.join('\n'));
    for (const each of said) expect(each).toMatch(/(secret\.yaml|link\.yaml|\.git\/config):\d+:\d+: error/);
  });

  test('as an overlay, as chatform.yaml itself, and as a link that a workflow names', async () => {
    const over = await project(text, (at) => `manifest: [good.yaml]\n${TARGET(`, overlays: ['${at}']`)}`);
    expectNothingOf(await validated(over.cwd));
    const own = await project(text, () => '');
    await symlink(own.outside, join(own.cwd, 'link.yaml'));
    await symlink(dirname(own.outside), join(own.cwd, 'linked'));
    for (const file of ['link.yaml', 'linked/secret.yaml'])
      expectNothingOf(await validated(own.cwd, '-f', file, '--base-url', 'emulator:license.json'));
    const linked = await folder();
    await symlink(own.outside, join(linked, 'chatform.yaml'));
    expectNothingOf(await validated(linked));
  });

  test('as a license of the emulator, a ledger, a saved plan and a snapshot', async () => {
    const { cwd, outside } = await project(text, (at) => `manifest: [good.yaml]\n${TARGET(`, ledger: '${at}'`)}`);
    const said: string[] = [];
    for (const args of [
      ['plan'],
      ['ledger', 'show'],
      ['ledger', 'repair', '--yes'],
      ['apply', outside, '--yes'],
      ['show', outside],
      ['plan', '--against', outside],
      ['plan', '-f', 'good.yaml', '--base-url', `emulator:${outside}`],
    ]) {
      const { code, stdout, stderr } = await chatform(args, { cwd });
      expect([args, code, stdout + stderr]).toEqual([args, 1, expect.anything()]);
      said.push(stdout, stderr);
    }
    expectNothingOf(said.join('\n'));
  });
});

test('A file of the project, of its repository, or that a person names elsewhere is shown where it is wrong', async () => {
  const wrong = SECRETS['YAML that is no manifest'] ?? '';
  const { cwd, outside } = await project(wrong, () => OF_MANIFEST('../shared.yaml'));
  await writeFile(join(cwd, '../shared.yaml'), wrong);
  await writeFile(join(cwd, 'own.yaml'), wrong);
  for (const more of [
    [],
    ['-f', 'own.yaml', '--base-url', 'emulator:l.json'],
    ['-f', outside, '--base-url', 'emulator:l.json'],
  ])
    expect(await validated(cwd, ...more)).toContain('1 | s3cr3t_name: s3cr3t value');
});

test('What is hidden says so, and what helps', async () => {
  const { cwd } = await project('agents: 3\n', () => OF_MANIFEST('../../machine/secret.yaml'));
  const { stderr } = await chatform(['validate'], { cwd });
  expect(stderr).toContain(
    '../../machine/secret.yaml:1:9: error wrong-type: the file is wrong here; it is not shown, because it is outside of the project\n  = help: copy the file',
  );
});
