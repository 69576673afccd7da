// A job of a workflow, or of one of ours that it calls, run as a runner of GitHub does, in a folder of its own: scripts for real, the composite actions
// of this repository step by step, actions of others by what they are known to do. Must not know what a workflow is for.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Contexts, holds, resolved, type Status } from './expressions.ts';
import { bash, git, type Ran, type Site } from './site.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
  readonly 'continue-on-error'?: boolean;
}

export interface Job {
  readonly if?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly 'timeout-minutes': number;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly environment?: string;
  readonly concurrency?: object;
}

/** A job that calls a workflow of this repository. */
export interface CallingJob extends Pick<Job, 'if' | 'permissions'> {
  readonly uses: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface Workflow {
  readonly permissions: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job | CallingJob>>;
}

/** A workflow that others call. */
export interface CalledWorkflow {
  readonly on: {
    readonly workflow_call: {
      readonly inputs?: Readonly<Record<string, { readonly type: string; readonly default?: unknown }>>;
      readonly secrets?: Readonly<Record<string, object>>;
      readonly outputs?: Readonly<Record<string, { readonly value: string }>>;
    };
  };
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const isCalling = (job: Job | CallingJob): job is CallingJob => 'uses' in job;

export function calledBy({ uses }: CallingJob): CalledWorkflow {
  const [, path] = /^OWNER\/chatform\/(\.github\/workflows\/[\w.-]+)@COMMIT$/.exec(uses) ?? [];
  if (path === undefined) throw new Error(`${uses} is no workflow of ours`);
  return parse(readFileSync(ROOT + path, 'utf8')) as CalledWorkflow;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs?: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What a job runs for. */
export interface Occasion {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly sha: string;
  readonly ref: string;
  /** Of a pull request, the branch that it is to be merged into. */
  readonly base?: string;
  readonly run: number;
  readonly attempt?: number;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly needs?: Readonly<Record<string, unknown>>;
  /** Of the repository and of the environment; a fork has none. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Of the repository. */
  readonly vars?: Readonly<Record<string, string>>;
}

export interface Done {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
  readonly said: string;
  readonly summary: string;
  readonly workspace: string;
}

interface Outcome {
  readonly outcome: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
}

interface Machine {
  readonly site: Site;
  readonly workflow: string;
  readonly occasion: Occasion;
  readonly workspace: string;
  readonly temp: string;
  readonly event: string;
  readonly summary: string;
  readonly said: string[];
}

/** A job of a workflow of the project, and what it gets: as the caller has it, or what the caller passes. */
interface FoundJob {
  readonly job: Job;
  /** Null for a job that stands in the workflow itself. */
  readonly caller: CallingJob | null;
  readonly called: CalledWorkflow | null;
}

function jobNamed(name: string, { jobs }: Workflow): FoundJob {
  for (const caller of Object.values(jobs).filter(isCalling)) {
    const called = calledBy(caller);
    const job = called.jobs[name];
    if (job !== undefined) return { job, caller, called };
  }
  const job = jobs[name];
  if (job === undefined || isCalling(job)) throw new Error(`there is no job ${name}`);
  return { job, caller: null, called: null };
}

/** What a called workflow has of inputs and secrets. A name that it does not declare is an error, as it is on GitHub. */
function passed({ caller, called }: FoundJob, contexts: Contexts, status: Status): Contexts {
  if (caller === null || called === null) return contexts;
  const { inputs = {}, secrets = {} } = called.on.workflow_call;
  const given = { inputs: caller.with ?? {}, secrets: caller.secrets ?? {} };
  for (const [kind, declared] of Object.entries({ inputs, secrets }))
    for (const each of Object.keys(given[kind as keyof typeof given]))
      if (!(each in declared)) throw new Error(`the called workflow declares no ${each} in its ${kind}`);
  const givenAs = (each: string, type: string): unknown => {
    const text = resolved(String(given.inputs[each]), contexts, status);
    return type === 'boolean' ? text === 'true' : text;
  };
  return {
    ...contexts,
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([each, { type, default: otherwise }]) => [
        each,
        each in given.inputs ? givenAs(each, type) : (otherwise ?? ''),
      ]),
    ),
    secrets: Object.fromEntries(
      Object.entries(given.secrets).map(([each, text]) => [each, resolved(text, contexts, status)]),
    ),
    vars: {},
  };
}

/** What a workflow that is called says of its jobs. */
export function outputsOf(workflow: string, jobs: Readonly<Record<string, Pick<Done, 'outputs'>>>): Done['outputs'] {
  const { on } = parse(readFileSync(`${ROOT}.github/workflows/${workflow}`, 'utf8')) as CalledWorkflow;
  const status = { failed: false, cancelled: false, hashFiles: () => '' };
  return Object.fromEntries(
    Object.entries(on.workflow_call.outputs ?? {}).map(([name, { value }]) => [
      name,
      resolved(value, { jobs }, status),
    ]),
  );
}

/** `text` of the workflow: by default that of examples/ci. */
export async function runJob(
  site: Site,
  workflow: string,
  name: string,
  occasion: Occasion,
  text: string = readFileSync(`${ROOT}examples/ci/github/${workflow}`, 'utf8'),
): Promise<Done> {
  const found = jobNamed(name, parse(text) as Workflow);
  const home = site.room('runner');
  const at = (part: string): string => join(home, part);
  for (const part of ['work', 'temp']) mkdirSync(at(part));
  writeFileSync(at('event.json'), JSON.stringify(occasion.payload));
  const machine: Machine = {
    site,
    workflow,
    occasion,
    workspace: at('work'),
    temp: at('temp'),
    event: at('event.json'),
    summary: at('summary.md'),
    said: [],
  };
  writeFileSync(machine.summary, '');
  const outer = contextsOf(machine);
  const told = (result: Done['result'], outputs: Outcome['outputs']): Done => ({
    result,
    outputs,
    said: machine.said.join(''),
    summary: readFileSync(machine.summary, 'utf8'),
    workspace: machine.workspace,
  });
  const { job, caller } = found;
  if (!holds(caller?.if, outer, statusOf(machine, false))) return told('skipped', {});
  const contexts = passed(found, outer, statusOf(machine, false));
  if (!holds(job.if, contexts, statusOf(machine, false))) return told('skipped', {});
  const { steps, failed } = await runSteps(job.steps, contexts, {}, machine);
  const status = statusOf(machine, failed);
  const outputs = Object.entries(job.outputs ?? {}).map(([key, text]) => [
    key,
    resolved(text, { ...contexts, steps }, status),
  ]);
  return told(failed ? 'failure' : 'success', Object.fromEntries(outputs));
}

function contextsOf({ site, occasion, temp }: Machine): Contexts {
  const { event, payload, sha, ref, run, attempt = 1, inputs = {}, needs = {}, secrets = {}, vars = {} } = occasion;
  return {
    github: {
      event_name: event,
      event: { repository: { default_branch: 'main' }, ...payload },
      sha,
      ref,
      ref_name: ref.replace(/^refs\/(heads|pull)\//, ''),
      base_ref: occasion.base ?? '',
      run_id: run,
      run_attempt: attempt,
      repository: 'o/r',
      server_url: site.server,
      token: site.token,
      action_path: join(site.action, 'ci/action'),
    },
    runner: { temp },
    env: {},
    inputs,
    needs,
    secrets,
    vars,
    steps: {},
  };
}

function statusOf({ workspace }: Machine, failed: boolean): Status {
  return { failed, cancelled: false, hashFiles: (pattern) => (matching(workspace, pattern).length > 0 ? 'hash' : '') };
}

/** Of patterns, those with one `*` in the last part. */
function matching(folder: string, pattern: string): readonly string[] {
  const path = resolve(folder, pattern);
  if (!pattern.includes('*')) return existsSync(path) ? [path] : [];
  const [before = '', after = ''] = basename(path).split('*');
  if (!existsSync(dirname(path))) return [];
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(before) && name.endsWith(after));
  return names.map((name) => join(dirname(path), name));
}

type Env = Readonly<Record<string, string>>;

async function runSteps(
  steps: readonly Step[],
  contexts: Contexts,
  outer: Env,
  machine: Machine,
): Promise<{ readonly steps: Readonly<Record<string, Outcome>>; readonly failed: boolean }> {
  const done: Record<string, Outcome> = {};
  let failed = false;
  for (const [index, step] of steps.entries()) {
    const here = { ...contexts, steps: done };
    const status = statusOf(machine, failed);
    const told = holds(step.if, here, status)
      ? await runStep(step, here, outer, status, machine)
      : ({ outcome: 'skipped', outputs: {} } as const);
    if (told.outcome === 'failure' && step['continue-on-error'] !== true) failed = true;
    done[step.id ?? `step-${index}`] = told;
  }
  return { steps: done, failed };
}

async function runStep(step: Step, contexts: Contexts, outer: Env, status: Status, machine: Machine): Promise<Outcome> {
  const resolve = (value: unknown): string => resolved(String(value), contexts, status);
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, resolve(value)]);
  const env = { ...outer, ...Object.fromEntries(own) };
  const given = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, resolve(value)]));
  if (step.uses === undefined) return script(step, resolve(step['working-directory'] ?? '.'), env, machine);
  // GitHub takes `$/` from the repository and the commit of the workflow or the action that has it.
  const [, folder] = /^(?:\$|OWNER\/chatform)\/(ci\/\w+)(?:@COMMIT)?$/.exec(step.uses) ?? [];
  if (folder !== undefined) return composite(`${ROOT}${folder}/action.yml`, given, contexts, env, machine);
  return known(step.uses.replace(/@.*/, ''), given, machine);
}

async function script({ run = '' }: Step, folder: string, env: Env, machine: Machine): Promise<Outcome> {
  const { site, occasion, workspace, temp, event, summary } = machine;
  const output = join(temp, 'output');
  writeFileSync(output, '');
  const ran: Ran = await bash(run, {
    cwd: resolve(workspace, folder),
    env: {
      ...site.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: site.fake.url,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_REF: occasion.ref,
      GITHUB_REF_NAME: occasion.ref.replace(/^refs\/(heads|pull)\//, ''),
      GITHUB_BASE_REF: occasion.base ?? '',
      GITHUB_WORKFLOW_REF: `o/r/.github/workflows/${machine.workflow}@${occasion.ref}`,
      GITHUB_SHA: occasion.sha,
      GITHUB_RUN_ID: String(occasion.run),
      GITHUB_RUN_ATTEMPT: String(occasion.attempt ?? 1),
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_PATH: event,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
      RUNNER_TEMP: temp,
      ...env,
    },
  });
  machine.said.push(ran.said);
  const lines = readFileSync(output, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const outputs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return { outcome: ran.code === 0 ? 'success' : 'failure', outputs: Object.fromEntries(outputs) };
}

async function composite(file: string, given: Env, contexts: Contexts, env: Env, machine: Machine): Promise<Outcome> {
  const { inputs, outputs = {}, runs } = parse(readFileSync(file, 'utf8')) as Action;
  for (const name of Object.keys(given)) if (!(name in inputs)) throw new Error(`the action has no input ${name}`);
  const { secrets: _, needs: __, vars: ___, ...visible } = contexts;
  const defaults = Object.entries(inputs).map(([name, { default: otherwise = '' }]) => [
    name,
    given[name] ?? resolved(otherwise, visible, statusOf(machine, false)),
  ]);
  const inner = { ...visible, inputs: Object.fromEntries(defaults) };
  const { steps, failed } = await runSteps(runs.steps, inner, env, machine);
  const told = Object.entries(outputs).map(([name, { value }]) => [
    name,
    resolved(value, { ...inner, steps }, statusOf(machine, failed)),
  ]);
  return { outcome: failed ? 'failure' : 'success', outputs: Object.fromEntries(told) };
}

/** Actions of others, as far as these workflows ask for them. */
function known(action: string, given: Env, { site, occasion, workspace }: Machine): Outcome {
  const success: Outcome = { outcome: 'success', outputs: {} };
  const failure: Outcome = { outcome: 'failure', outputs: {} };
  switch (action) {
    case 'actions/checkout':
      git(workspace, 'init', '--quiet', '.');
      git(
        workspace,
        'fetch',
        '--quiet',
        ...(given['fetch-depth'] === '0' ? [] : ['--depth', '1']),
        site.remote,
        occasion.sha,
      );
      git(workspace, 'checkout', '--quiet', 'FETCH_HEAD');
      if (given['fetch-depth'] === '0')
        git(workspace, 'fetch', '--quiet', site.remote, '+refs/heads/*:refs/remotes/origin/*');
      return success;
    case 'actions/upload-artifact': {
      const files = matching(workspace, given['path'] ?? '');
      if (files.length === 0) return given['if-no-files-found'] === 'error' ? failure : success;
      const into = site.artifact(occasion.run, given['name'] ?? '');
      for (const file of files) {
        const isFolder = readdirSync(dirname(file), { withFileTypes: true }).some(
          (entry) => entry.name === basename(file) && entry.isDirectory(),
        );
        cpSync(file, isFolder ? into : join(into, basename(file)), { recursive: true });
      }
      return success;
    }
    case 'actions/download-artifact': {
      const from = site.artifact(Number(given['run-id']), given['name'] ?? '');
      if (readdirSync(from).length === 0) return failure;
      cpSync(from, join(workspace, given['path'] ?? ''), { recursive: true });
      return success;
    }
    case 'github/codeql-action/upload-sarif':
      return JSON.parse(readFileSync(given['sarif_file'] ?? '', 'utf8')).version === '2.1.0' ? success : failure;
    case 'actions/cache/restore':
    case 'actions/cache/save': {
      // The newest of all keys that begin alike.
      const [kept, here] = [site.artifact(0, 'cache'), join(workspace, given['path'] ?? '')];
      const [from, to] = action.endsWith('save') ? [here, kept] : [kept, here];
      if (existsSync(from) && readdirSync(from).length > 0) cpSync(from, to, { recursive: true });
      return success;
    }
    default:
      throw new Error(`nobody knows here what ${action} does`);
  }
}
