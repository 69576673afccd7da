// The recipes of the guides, run as their schedulers would run them: on a license in sync, on one that has drifted, and on one that does not answer.

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobsOf } from '../ci/gitlab-job.ts';
import { CLI, folder } from '../cli/chatform.ts';
import { RECIPES, recipe, unitOf, yamlOf } from './recipes.ts';

const STATES = ['in sync', 'drifted', 'unreachable'] as const;
type State = (typeof STATES)[number];

/** How each look has to end. */
const CODES: { readonly [state in State]: number } = { 'in sync': 0, drifted: 2, unreachable: 1 };

const chatformYaml = (url: string): string => `version: 1
manifest: [manifest.yaml]
targets:
  production: { base_url: "${url}", ledger: ledger/production.ndjson, request_timeout: 1s, run_timeout: 2s }
`;

const manifest = (language: string): string =>
  `version: 1\ngroups: { sales: { name: Sales, language_code: ${language} } }\n`;

const PROGRAMS = {
  chatform: `exec "${process.execPath}" "${CLI}" "$@"`,
  npx: 'exec "$@"',
  npm: '[ "$*" = ci ]',
};

/** A project whose license was applied, and has drifted since. */
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chatform-'));
  const cwd = join(root, 'in sync');
  await mkdir(join(cwd, 'bin'), { recursive: true });
  await writeFile(join(cwd, 'chatform.yaml'), chatformYaml('emulator:license.json'));
  await writeFile(join(cwd, 'manifest.yaml'), manifest('en'));
  for (const [name, script] of Object.entries(PROGRAMS))
    await writeFile(join(cwd, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  expect(await shell('chatform apply --yes --quiet', cwd)).toMatchObject({ code: 0 });
  await cp(cwd, join(root, 'unreachable'), { recursive: true });
  await writeFile(join(root, 'unreachable', 'chatform.yaml'), chatformYaml('http://127.0.0.1:9'));
  await cp(cwd, join(root, 'drifted'), { recursive: true });
  await writeFile(join(root, 'drifted', 'elsewhere.yaml'), manifest('pl'));
  const elsewhere = 'chatform apply --yes --quiet -f elsewhere.yaml --base-url emulator:license.json';
  expect(await shell(elsewhere, join(root, 'drifted'))).toMatchObject({ code: 0 });
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** A project whose license is in that state, as a fresh checkout has it. */
async function checkout(state: State): Promise<string> {
  const cwd = await folder();
  await cp(join(root, state), cwd, { recursive: true });
  return cwd;
}

interface Ran {
  readonly code: number | null;
  readonly said: string;
}

/** As a runner runs a script: it ends with the first command that fails. */
function shell(script: string, cwd: string, env: { readonly [name: string]: string } = {}): Promise<Ran> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`, HOME: cwd, CHATFORM_TOKEN: 'dal:token', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

function expectEnd({ code, said }: Ran, state: State): void {
  expect([state, code, said]).toEqual([state, CODES[state], said]);
}

async function text(cwd: string, name: string): Promise<string> {
  return readFile(join(cwd, name), 'utf8');
}

test('Every recipe is on the page, and no line of it is too long to be read', async () => {
  for (const name of RECIPES)
    for (const line of (await recipe(name)).split('\n')) expect(line.length).toBeLessThan(150);
});

describe('systemd', () => {
  test('The service ends by itself, writes to its own folder only, and the timer is spread and makes up for lost time', async () => {
    const service = await unitOf('chatform-drift.service');
    const value = (name: string): string | undefined => service.get(name)?.join(' ');
    expect(value('Service.Type')).toBe('oneshot');
    expect(value('Service.SuccessExitStatus')).toBe(String(CODES.drifted));
    expect(value('Service.TimeoutStartSec')).toBe('15min');
    expect(value('Service.ProtectSystem')).toBe('strict');
    const [state] = service.get('Service.StateDirectory') ?? [];
    for (const [written] of (value('Service.ExecStart') ?? '').matchAll(/\S*%S\S+/g))
      expect(written).toContain(`%S/${state}/`);
    const timer = await unitOf('chatform-drift.timer');
    expect([...timer.keys()]).toEqual([
      'Unit.Description',
      'Timer.OnCalendar',
      'Timer.RandomizedDelaySec',
      'Timer.Persistent',
      'Install.WantedBy',
    ]);
  });

  test.each(STATES)('What it starts does what it says on a license that is %s', async (state) => {
    const command = (await unitOf('chatform-drift.service')).get('Service.ExecStart')?.[0] ?? '';
    const cwd = await checkout(state);
    await mkdir(join(cwd, 'state/chatform'), { recursive: true });
    expectEnd(await shell(command.replaceAll('%S', join(cwd, 'state')), cwd), state);
    expect(await text(cwd, 'state/chatform/production.prom')).toMatch(/^# (HELP|TYPE) chatform_/m);
  });
});

describe('Kubernetes', () => {
  interface CronJob {
    readonly spec: {
      readonly jobTemplate: {
        readonly spec: {
          readonly template: {
            readonly spec: {
              readonly containers: readonly [
                {
                  readonly command: readonly string[];
                  readonly args: readonly string[];
                  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
                },
              ];
              readonly volumes: readonly {
                readonly name: string;
                readonly persistentVolumeClaim: { readonly claimName: string };
              }[];
            };
          };
        };
      };
    };
  }

  test('The job runs one at a time, is not repeated, ends, and its secrets and its volume are there', async () => {
    const [cron, claim] = (await yamlOf('kubernetes/drift.yaml')) as readonly [CronJob, unknown];
    expect(cron).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: {
        schedule: '*/15 * * * *',
        concurrencyPolicy: 'Forbid',
        jobTemplate: {
          spec: {
            backoffLimit: 0,
            activeDeadlineSeconds: 900,
            template: { spec: { restartPolicy: 'Never', containers: [{ envFrom: [{ secretRef: {} }] }] } },
          },
        },
      },
    });
    const { containers, volumes } = cron.spec.jobTemplate.spec.template.spec;
    const [{ args, volumeMounts }] = containers;
    expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    expect(args.some((arg) => volumeMounts.some(({ mountPath }) => arg.startsWith(`${mountPath}/`)))).toBe(true);
    expect(claim).toMatchObject({
      kind: 'PersistentVolumeClaim',
      metadata: { name: volumes[0]?.persistentVolumeClaim.claimName },
    });
  });

  test.each(STATES)('What its container runs does what it says on a license that is %s', async (state) => {
    const [cron] = (await yamlOf('kubernetes/drift.yaml')) as readonly [CronJob];
    const [{ command, args }] = cron.spec.jobTemplate.spec.template.spec.containers;
    const cwd = await checkout(state);
    const line = [...command, ...args]
      .map((word) => `'${word.replace(/^\/sightings/, join(cwd, 'sightings'))}'`)
      .join(' ');
    expectEnd(await shell(line, cwd), state);
  });
});

describe('GitLab', () => {
  test.each(STATES)('The nightly job leaves an index and a page of a license that is %s', async (state) => {
    const { page } = jobsOf();
    const script = [page?.before_script?.[0], ...(page?.script ?? []).filter((line) => !line.includes('ledger.sh'))];
    const cwd = await checkout(state);
    const { code, said } = await shell(script.join('\n'), cwd);
    expect([state, code, said]).toEqual([state, state === 'unreachable' ? 1 : 0, said]);
    expect(page?.artifacts).toMatchObject({ when: 'always', paths: ['pages/'] });
    const says = { 'in sync': 'no open needs', drifted: 'changed in the application', unreachable: 'not read' }[state];
    expect(await text(cwd, 'pages/index.html')).toContain(says);
    expect(await text(cwd, 'pages/production.html')).toContain('production');
  });
});
