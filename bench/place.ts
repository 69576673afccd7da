// A job comes in, a folder with everything that its contenders need goes out, and the license it begins with, kept by the service under its id.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files, Job } from './jobs.ts';
import { type Command, run } from './run.ts';
import type { Service } from './service/service.ts';

export const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));

export interface Place {
  readonly job: Job;
  readonly folder: string;
  readonly service: Service;
}

export function chatform(folder: string, ...args: readonly string[]): Command {
  return built(CLI, folder, ...args);
}

/** The same by another build. */
export function built(cli: string, folder: string, ...args: readonly string[]): Command {
  return { argv: [process.execPath, cli, ...args], cwd: folder, env: { CHATFORM_TOKEN: 'any' } };
}

/** Items of one batch, as many as chatform sends by default. */
const BATCH_SIZE = 100;

export async function write(folder: string, files: Files): Promise<void> {
  for (const [name, text] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

export function projectFile(url: string, settings: readonly string[]): string {
  const lines = [`base_url: ${url}`, ...settings].map((line) => `    ${line}\n`);
  return `version: 1\nmanifest: [manifest]\ntargets:\n  here:\n${lines.join('')}`;
}

const LEDGER = '.chatform/here.ledger.ndjson';
const HOUR = 3_600_000;

/** An hour later: right after its own writes chatform is careful with what it reads, which is another job. */
export async function age(folder: string): Promise<void> {
  const text = await readFile(join(folder, LEDGER), 'utf8');
  const earlier = (at: string): string => new Date(Date.parse(at) - HOUR).toISOString();
  await writeFile(
    join(folder, LEDGER),
    text.replaceAll(/"at":"([^"]+)"/g, (_, at) => `"at":"${earlier(at)}"`),
  );
}

export async function prepare(job: Job, service: Service, root: string): Promise<Place> {
  const folder = join(root, job.id);
  await rm(folder, { recursive: true, force: true });
  await write(folder, new Map([['chatform.yaml', projectFile(service.url, job.settings)], ...(job.before ?? [])]));
  await service.begin({}, job.deck?.entities ?? new Map());
  if (job.before !== null) {
    await run(chatform(folder, 'apply', '--yes', '-q'));
    await age(folder);
  }
  await service.keep(job.id);
  await mkdir(join(folder, '.chatform'), { recursive: true });
  await cp(join(folder, '.chatform'), join(folder, 'kept'), { recursive: true });
  await rm(join(folder, 'manifest'), { recursive: true, force: true });
  const input = { url: service.url, batchSize: BATCH_SIZE, ...job.least };
  await write(
    folder,
    new Map([...job.wanted, ['input.json', JSON.stringify(input)], ['deck.yaml', job.deck?.file ?? '{}']]),
  );
  return { job, folder, service };
}

/** As if nobody had been here. */
export async function reset({ job, folder, service }: Place): Promise<void> {
  await service.restore(job.id);
  await rm(join(folder, '.chatform'), { recursive: true, force: true });
  await cp(join(folder, 'kept'), join(folder, '.chatform'), { recursive: true });
}

/** The steps that chatform still finds to do on the license as it is now, whoever changed it; null for none. */
export async function leftIn({ job, folder }: Place): Promise<string | null> {
  if (job.verb === 'plan') return null;
  await rm(join(folder, '.chatform'), { recursive: true, force: true });
  const except = job.unseen.flatMap((address) => ['--except', address]);
  const { stdout } = await run(chatform(folder, 'plan', '--json', ...except));
  const { steps }: { readonly steps: readonly { readonly id: string }[] } = JSON.parse(stdout);
  return steps.length === 0 ? null : steps.map(({ id }) => id).join('\n');
}
