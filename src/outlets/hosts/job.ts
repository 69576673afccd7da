// What the environment of a job says: host, repository, request, run and commit. Reads no token and no file.

import { UsageError } from '../../base/errors.ts';
import { memberOf, numberAt, textAt } from '../../base/json.ts';
import type { Json, Place } from '../../base/model.ts';
import { noValue } from '../../base/text.ts';
import { isThisMachine, parsedUrl, webAddress } from '../../base/url.ts';
import type { PathInRepository } from '../../view/findings.ts';
import { wellFormed } from '../../view/plain.ts';

export const HOSTS = ['github', 'gitlab'] as const;

export type HostName = (typeof HOSTS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

export interface JobContext {
  readonly host: HostName;
  /** Address of the API, without a slash at its end. */
  readonly api: string;
  /** `owner/name`, or the id of a project. */
  readonly repository: string;
  /** Null when the job does not run for a request: then the commit names it. */
  readonly request: number | null;
  /** `owner:branch` of the request, for a job that another workflow started; null for other jobs. */
  readonly source: string | null;
  readonly commit: string;
  readonly run: number;
  readonly attempt: number;
  /** Address of the run; null when it is not known. */
  readonly runUrl: string | null;
  /** Address of a line in that commit, null for a file beyond the repository; null when it is not known. */
  readonly lineOf: ((place: Pick<Place, 'file' | 'line'>) => string | null) | null;
}

/** The variable that holds the token. */
export const TOKEN_OF: { readonly [host in HostName]: string } = { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN' };

export function hostNameOf(env: Environment): HostName {
  if (env['GITHUB_ACTIONS'] === 'true') return 'github';
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  throw new UsageError(
    'this is no job of GitHub or GitLab: name the host with --host, and set the variables that its jobs have; to read the comment without a host, run `chatform show PLAN --report markdown=FILE`',
  );
}

/** `event` is what GITHUB_EVENT_PATH names. */
export function jobOf(host: HostName, env: Environment, event: Json, pathOf: PathInRepository): JobContext {
  return host === 'github' ? onGithub(env, event, pathOf) : onGitlab(env, pathOf);
}

function onGithub(env: Environment, event: Json, pathOf: PathInRepository): JobContext {
  const repository = needed(env, 'GITHUB_REPOSITORY', /^[\w.-]+\/[\w.-]+$/);
  // For a pull request GITHUB_SHA is a merge that does not exist yet, and after another workflow the head of the default branch.
  const head = textAt(event, 'pull_request', 'head', 'sha') ?? textAt(event, 'workflow_run', 'head_sha');
  const commit = head !== null && COMMIT.test(head) ? head : needed(env, 'GITHUB_SHA', COMMIT);
  const run = needed(env, 'GITHUB_RUN_ID', NUMBER);
  const server = webAddress(env['GITHUB_SERVER_URL']);
  const isOfRequest = memberOf(event, 'issue', 'pull_request') !== null;
  return {
    host: 'github',
    api: apiIn(env, 'GITHUB_API_URL', 'https://api.github.com'),
    repository,
    request:
      numberAt(event, 'pull_request', 'number') ??
      (isOfRequest ? numberAt(event, 'issue', 'number') : null) ??
      numberIn(/^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '')?.[1]),
    source: sourceOf(event),
    commit,
    run: Number(run),
    attempt: numberIn(env['GITHUB_RUN_ATTEMPT']) ?? 1,
    runUrl: server === null ? null : `${server}/${repository}/actions/runs/${run}`,
    lineOf: server === null ? null : lineAt(`${server}/${repository}/blob/${commit}`, pathOf),
  };
}

/** The event of a run for a fork lists no pull request. */
function sourceOf(event: Json): string | null {
  const owner = textAt(event, 'workflow_run', 'head_repository', 'owner', 'login');
  const branch = textAt(event, 'workflow_run', 'head_branch');
  return owner === null || branch === null ? null : `${owner}:${branch}`;
}

function onGitlab(env: Environment, pathOf: PathInRepository): JobContext {
  // In a pipeline for merged results CI_COMMIT_SHA is a merge that does not exist yet.
  const source = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] ?? '';
  const commit = COMMIT.test(source) ? source : needed(env, 'CI_COMMIT_SHA', COMMIT);
  const project = webAddress(env['CI_PROJECT_URL']);
  return {
    host: 'gitlab',
    api: apiIn(env, 'CI_API_V4_URL', 'https://gitlab.com/api/v4'),
    repository: needed(env, 'CI_PROJECT_ID', NUMBER),
    request: numberIn(env['CI_MERGE_REQUEST_IID']),
    source: null,
    commit,
    run: Number(needed(env, 'CI_PIPELINE_ID', NUMBER)),
    // A job that is repeated has a new id in the same pipeline.
    attempt: numberIn(env['CI_JOB_ID']) ?? 1,
    runUrl: webAddress(env['CI_PIPELINE_URL']),
    lineOf: project === null ? null : lineAt(`${project}/-/blob/${commit}`, pathOf),
  };
}

const COMMIT = /^[0-9a-f]{7,64}$/;
const NUMBER = /^\d{1,15}$/;

function needed(env: Environment, name: string, pattern: RegExp): string {
  const text = env[name] ?? '';
  if (pattern.test(text)) return text;
  throw new UsageError(
    text === '' ? noValue(env, name) : `the environment variable ${name} is not what the host sets it to`,
  );
}

function numberIn(text: string | undefined): number | null {
  return text !== undefined && NUMBER.test(text) ? Number(text) : null;
}

/** @throws UsageError for an address that a token must not be sent to */
function apiIn(env: Environment, name: string, otherwise: string): string {
  const text = (env[name] ?? '') === '' ? otherwise : (env[name] ?? '');
  const url = parsedUrl(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '')
    throw new UsageError(`${name} must be an https:// URL without a user name`);
  return url.href.replace(/\/+$/, '');
}

function lineAt(tree: string, pathOf: PathInRepository): NonNullable<JobContext['lineOf']> {
  return ({ file, line }) => {
    const path = pathOf(file);
    return path === null ? null : `${tree}/${wellFormed(path).split('/').map(encodeURIComponent).join('/')}#L${line}`;
  };
}
