// A job of .gitlab-ci.yml and the variables of its pipeline in; what came of it out. Its lines are run as a runner of GitLab does: those before and those of the
// script in one shell, those after it in another one, whatever came of the first. Must not know what a job is for.

import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { bash, git, type Site } from './site.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const PIPELINE_FILE = `${ROOT}examples/ci/gitlab/.gitlab-ci.yml`;

type Variables = Readonly<Record<string, string>>;

export interface GitlabJob {
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
  readonly cache?: object;
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly when?: string;
    readonly reports?: Readonly<Record<string, string>>;
  };
}

export interface Pipeline {
  readonly default: { readonly before_script: readonly string[] };
  readonly variables: Variables;
}

type PipelineOfJobs = Pipeline & { readonly jobs: Readonly<Record<string, GitlabJob>> };

export function pipelineOf(): PipelineOfJobs {
  const all = parse(readFileSync(PIPELINE_FILE, 'utf8')) as Pipeline & Record<string, GitlabJob>;
  const { default: otherwise, variables, workflow: _, ...jobs } = all;
  return { default: otherwise, variables, jobs } as never;
}

/** The pipeline with the jobs for many licenses instead of those for one. */
export function manyPipelineOf(): PipelineOfJobs {
  const text = readFileSync(`${ROOT}examples/ci/gitlab/many-licenses.yml`, 'utf8');
  return { ...pipelineOf(), jobs: parse(text) as Readonly<Record<string, GitlabJob>> };
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
  { default: otherwise, variables, jobs }: PipelineOfJobs = pipelineOf(),
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
  const env = expanded({ ...variables, ...found.variables }, predefined);
  const ran = await bash([...otherwise.before_script, ...found.script].join('\n'), { cwd: workspace, env });
  const status = { CI_JOB_STATUS: ran.code === 0 ? 'success' : 'failed' };
  const after = await bash((found.after_script ?? []).join('\n'), { cwd: workspace, env: { ...env, ...status } });
  keep(site, name, job, found, workspace);
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
