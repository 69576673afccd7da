// A job of a pipeline of GitLab, with the components that it includes, run as a runner does: the lines before and those of the script in one shell, those
// after it in another one, whatever came of the first. Must not know what a job is for.

import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { bash, git, type Site } from './site.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const PIPELINE_FILE = `${ROOT}examples/ci/gitlab/.gitlab-ci.yml`;

type Variables = Readonly<Record<string, string>>;

export interface GitlabJob {
  readonly extends?: string;
  readonly image?: string;
  readonly before_script?: readonly string[];
  readonly rules?: readonly Readonly<Record<string, string>>[];
  readonly variables?: Variables;
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
  readonly allow_failure?: unknown;
  readonly resource_group?: string;
  readonly environment?: string;
  readonly timeout?: string;
  readonly needs?: readonly string[];
  readonly interruptible?: boolean;
  readonly cache?: { readonly paths: readonly string[] };
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly when?: string;
    readonly reports?: Readonly<Record<string, string>>;
  };
}

type Jobs = Readonly<Record<string, GitlabJob>>;

interface Include {
  readonly component: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

interface Component {
  readonly spec: { readonly inputs?: Readonly<Record<string, { readonly default?: string }>> };
}

/** The jobs of a component with the inputs of an include. An input that it does not declare, or that has no value, is an error, as it is on GitLab. */
function componentOf({ component, inputs = {} }: Include): Jobs {
  const [, name] = /^\$CI_SERVER_FQDN\/OWNER\/chatform\/([\w-]+)@COMMIT$/.exec(component) ?? [];
  if (name === undefined) throw new Error(`${component} is no component of ours`);
  const [head = '', body = ''] = readFileSync(`${ROOT}templates/${name}.yml`, 'utf8').split(/^---$/m);
  const declared = (parse(head) as Component).spec.inputs ?? {};
  for (const each of Object.keys(inputs)) if (!(each in declared)) throw new Error(`${name} has no input ${each}`);
  const text = body.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, each: string) => {
    const value = inputs[each] ?? declared[each]?.default;
    if (value === undefined) throw new Error(`the input ${each} of ${name} has no value`);
    return value;
  });
  return parse(text) as Jobs;
}

/** With what a job extends: members of variables are joined, everything else is replaced. */
function extended(job: GitlabJob, jobs: Jobs): GitlabJob {
  if (job.extends === undefined) return job;
  const base = jobs[job.extends];
  if (base === undefined) throw new Error(`there is no job ${job.extends}`);
  const { extends: _, ...own } = job;
  return { ...base, ...own, variables: { ...base.variables, ...own.variables } };
}

/** The jobs of a pipeline file. */
export function jobsOf(text: string = readFileSync(PIPELINE_FILE, 'utf8')): Jobs {
  const {
    include,
    workflow: _,
    ...own
  } = parse(text) as { readonly include: readonly Include[]; readonly workflow: object };
  if (Object.keys(own).length > 0) throw new Error('the file has jobs of its own');
  const all: Jobs = Object.assign({}, ...include.map(componentOf));
  const named = Object.entries(all).filter(([name]) => !name.startsWith('.'));
  return Object.fromEntries(named.map(([name, job]) => [name, extended(job, all)]));
}

export interface GitlabDone {
  readonly code: number | null;
  readonly said: string;
  readonly workspace: string;
}

export async function runGitlabJob(
  site: Site,
  name: string,
  {
    sha,
    job,
    needed,
    ...given
  }: { readonly sha: string; readonly job: number; readonly needed?: number } & Readonly<
    Record<string, string | number>
  >,
  jobs: Jobs = jobsOf(),
): Promise<GitlabDone> {
  const found = jobs[name];
  if (found === undefined) throw new Error(`there is no job ${name}`);
  const workspace = site.room('runner');
  git(workspace, 'init', '--quiet', '.');
  const depth = found.variables?.['GIT_DEPTH'] === '0' ? ['+refs/heads/*:refs/remotes/origin/*'] : ['--depth', '1'];
  git(workspace, 'fetch', '--quiet', site.remote, sha, ...depth);
  git(workspace, 'checkout', '--quiet', sha);
  mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
  symlinkSync(ROOT, join(workspace, 'node_modules/chatform'));
  symlinkSync(site.program('chatform'), join(workspace, 'node_modules/.bin/chatform'));
  for (const path of found.cache?.paths ?? [])
    cpSync(site.artifact(0, 'cache'), join(workspace, path), { recursive: true });
  // The artifacts of the job that this one needs.
  if (needed !== undefined) cpSync(site.artifact(needed, found.needs?.[0] ?? ''), workspace, { recursive: true });
  const predefined: Record<string, string> = {
    ...site.env,
    GITLAB_CI: 'true',
    GITLAB_TOKEN: site.token,
    CI_API_V4_URL: site.fake.url,
    CI_PROJECT_ID: '77',
    CI_PROJECT_URL: `${site.server}/o/r`,
    CI_PROJECT_DIR: workspace,
    CI_COMMIT_SHA: sha,
    CI_JOB_ID: String(job),
    CI_JOB_NAME: name,
    CI_JOB_URL: `https://gitlab.example/o/r/-/jobs/${job}`,
    CI_JOB_TOKEN: 'job-token',
    ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)])),
  };
  const env = expanded(found.variables ?? {}, predefined);
  const ran = await bash([...(found.before_script ?? []), ...found.script].join('\n'), { cwd: workspace, env });
  const status = { CI_JOB_STATUS: ran.code === 0 ? 'success' : 'failed' };
  const after = await bash((found.after_script ?? []).join('\n'), { cwd: workspace, env: { ...env, ...status } });
  keep(site, name, job, found, workspace);
  const cached = site.artifact(0, 'cache');
  for (const path of found.cache?.paths ?? [])
    if (existsSync(join(workspace, path))) cpSync(join(workspace, path), cached, { recursive: true });
  return { code: ran.code, said: ran.said + after.said, workspace };
}

/** Variables may name others. */
function expanded(variables: Variables, predefined: Variables): Readonly<Record<string, string>> {
  const values = Object.entries(variables).map(([name, text]) => [
    name,
    text.replaceAll(/\$(\w+)/g, (_, other: string) => predefined[other] ?? ''),
  ]);
  return { ...predefined, ...Object.fromEntries(values) };
}

function keep(site: Site, name: string, job: number, { artifacts }: GitlabJob, workspace: string): void {
  const paths = [...(artifacts?.paths ?? []), ...Object.values(artifacts?.reports ?? {})];
  for (const path of paths) {
    if (!path.endsWith('/') || !existsSync(join(workspace, path))) continue;
    cpSync(join(workspace, path), join(site.artifact(job, name), path), { recursive: true });
  }
  for (const path of paths.filter((each) => !each.endsWith('/'))) {
    const folder = join(workspace, dirname(path));
    const end = path.replace(/^.*\*/, '').replace(/^.*\//, '');
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder).filter((each) => each.endsWith(end)))
      copyFileSync(join(folder, file), join(site.artifact(job, name), file));
  }
}
