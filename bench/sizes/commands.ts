// Every command of chatform on one license, each as a process of its own, in the order of a life: the first plan, an import of it all, changes in the
// files, changes by hand, looking.

import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/model.ts';
import { age, chatform, projectFile, write } from '../place.ts';
import { type Measured, run } from '../run.ts';
import type { Service } from '../service/service.ts';
import { filesOf, sized, withChanges } from './license.ts';

/** Which part of the agents are changed, in the files and by hand. */
const PART = 10;

/** What a command used; `bytes` of text that it printed. */
export type Use = Pick<Measured, 'cpu' | 'memory' | 'wall'> & { readonly bytes: number };

const SETTINGS = ['secrets: { file: .chatform/secrets.json }', 'organization_id: 390e44e6-f1e6-4368-a5ea-5a0b3a3a4b1c'];

/** What is measured, and who gets to know it. */
export interface Measuring {
  readonly service: Service;
  /** A folder for everything that is written. */
  readonly root: string;
  /** Whether a command is measured: one that changes the license for the others runs in any case. */
  readonly wants: (name: string) => boolean;
  readonly tell: (name: string, use: Use) => void;
}

/** Runs each command once. @throws an Error when one fails */
export async function measureSize(agents: number, { service, root, wants, tell }: Measuring): Promise<void> {
  const folder = join(root, `license-${agents}`);
  const measured = async (
    name: string,
    args: readonly string[],
    codes: readonly number[] = [0],
    place = folder,
  ): Promise<void> => {
    if (!wants(name) && !name.startsWith('apply')) return;
    const { cpu, memory, wall, stdout } = await run({ ...chatform(place, ...args), codes });
    tell(name, { cpu, memory, wall, bytes: stdout.length });
  };
  const license = sized(agents);
  const project = projectFile(service.url, SETTINGS);
  await write(folder, new Map([['chatform.yaml', project], ...filesOf(license)]));
  await service.begin({}, new Map());
  await service.keep('new');

  await measured('validate', ['validate']);
  await measured('plan, everything is new', ['plan']);
  await measured('plan --json, everything is new', ['plan', '--json']);
  await measured('plan, reports', ['plan', ...reports('md', 'html', 'junit', 'sarif')]);
  await measured('apply, everything is new', ['apply', '--yes', '-q']);
  await age(folder);
  await keep(folder, service, 'applied');
  const elsewhere = join(folder, 'elsewhere');
  await write(elsewhere, new Map([['chatform.yaml', project]]));
  await mkdir(join(elsewhere, 'manifest'));
  await measured('import', ['import'], [0], elsewhere);
  await measured('plan, nothing to do', ['plan']);
  await write(folder, filesOf(withChanges(license, 1)));
  await measured('plan, one change', ['plan']);
  await write(folder, filesOf(withChanges(license, Math.floor(agents / PART))));
  await measured('plan, a tenth changed', ['plan']);
  await measured('apply, a tenth changed', ['apply', '--yes']);
  await age(folder);
  await measured('undo', ['undo', '--yes']);
  await measured('ledger log', ['ledger', 'log']);
  await measured('history', ['history', '--json']);
  await measured('ledger compact', ['ledger', 'compact']);

  await write(folder, filesOf(license));
  await restore(folder, service, 'applied');
  await changeByHand(service.url, agents);
  await measured('drift, a tenth by hand', ['drift'], [0, 2]);
  await measured('drift --accept', ['drift', '--accept']);

  await write(folder, filesOf(withChanges(license, Math.floor(agents / PART))));
  await restore(folder, service, 'applied');
  await measured('drift, a tenth pending', ['drift'], [0, 2]);
  await write(folder, filesOf(license));
  await measured('show', ['show']);
  await measured('show agent', ['show', 'agent']);
  await measured('show group/group-0', ['show', 'group/group-0']);
  await measured('coverage', ['coverage']);
  await measured('test --on customer', ['test', '--on', 'customer'], [0, 1, 2]);
  await measured('doctor', ['doctor'], [0, 1, 2]);
  await measured('ledger show', ['ledger', 'show']);

  await rm(folder, { recursive: true, force: true });
}

function reports(...formats: readonly string[]): readonly string[] {
  const names: { readonly [format: string]: string } = { md: 'markdown' };
  return formats.flatMap((format) => ['--report', `${names[format] ?? format}=report.${format}`]);
}

async function keep(folder: string, service: Service, name: string): Promise<void> {
  await service.keep(name);
  await cp(join(folder, '.chatform'), join(folder, name), { recursive: true });
}

async function restore(folder: string, service: Service, name: string): Promise<void> {
  await service.restore(name);
  await rm(join(folder, '.chatform'), { recursive: true, force: true });
  await cp(join(folder, name), join(folder, '.chatform'), { recursive: true });
}

/** Agents of one request. */
const BATCH = 100;

/** What a person does in the settings of the service: a title and the hours of every tenth agent. */
async function changeByHand(url: string, agents: number): Promise<void> {
  const changes = sized(agents).agents.filter((_, index) => index % PART === 0);
  for (let start = 0; start < changes.length; start += BATCH) {
    const requests = changes.slice(start, start + BATCH).map(({ id, work_scheduler: hours }) => {
      const { timezone, schedule } = hours as { readonly timezone: string; readonly schedule: readonly JsonObject[] };
      const later = schedule.map((day) => ({ ...day, end: '22:00' }));
      return { id, job_title: 'Acting Lead', work_scheduler: { timezone, schedule: later } };
    });
    const response = await fetch(`${url}/v3.6/configuration/action/batch_update_agents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify({ requests }),
    });
    if (!response.ok) throw new Error(`a change by hand was refused: ${await response.text()}`);
  }
}
