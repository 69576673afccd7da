// Who started this process, from the environment: a person at a machine, or a job of a CI service. Reads no token, no path and no file.

import { webAddress } from '../base/url.ts';
import { type LedgerRunEvent, type RunOutcome, type RunSigning, type Starter, stampOf } from '../ledger/events.ts';
import type { Tenure } from '../ledger/tenure.ts';
import type { TargetSettings } from '../project/settings.ts';
import { createRedactor } from '../service/credential.ts';
import type { RunContext } from './context.ts';

type Environment = RunContext['env'];

/** What a CI service sets in its jobs. */
interface CiService {
  readonly name: string;
  readonly runs: (env: Environment) => boolean;
  /** Members as the service has them; those that are undefined or empty are left out. */
  readonly job: (env: Environment) => { readonly [member in keyof Starter]?: string | undefined };
}

const CI_SERVICES: readonly CiService[] = [
  {
    name: 'GitHub Actions',
    runs: (env) => env['GITHUB_ACTIONS'] === 'true',
    job: (env) => {
      const request = /^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '')?.[1];
      const [server, repository, run] = [env['GITHUB_SERVER_URL'], env['GITHUB_REPOSITORY'], env['GITHUB_RUN_ID']];
      return {
        // Of a job that is started again, the person who did that.
        actor: env['GITHUB_TRIGGERING_ACTOR'] || env['GITHUB_ACTOR'],
        repository,
        request,
        // For a pull request it is a merge that exists nowhere else.
        commit: request === undefined ? env['GITHUB_SHA'] : undefined,
        job: `${server}/${repository}/actions/runs/${run}`,
      };
    },
  },
  {
    name: 'GitLab CI',
    runs: (env) => env['GITLAB_CI'] === 'true',
    job: (env) => ({
      actor: env['GITLAB_USER_LOGIN'],
      repository: env['CI_PROJECT_PATH'],
      request: env['CI_MERGE_REQUEST_IID'],
      commit: env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'],
      job: env['CI_JOB_URL'] || env['CI_PIPELINE_URL'],
    }),
  },
  {
    name: 'Azure Pipelines',
    runs: (env) => env['TF_BUILD']?.toLowerCase() === 'true',
    job: (env) => ({
      actor: env['BUILD_REQUESTEDFOR'],
      repository: env['BUILD_REPOSITORY_NAME'],
      request: env['SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'] || env['SYSTEM_PULLREQUEST_PULLREQUESTID'],
      commit: env['SYSTEM_PULLREQUEST_SOURCECOMMITID'] || env['BUILD_SOURCEVERSION'],
      job: azureJob(env),
    }),
  },
  {
    name: 'CircleCI',
    runs: (env) => env['CIRCLECI'] === 'true',
    job: (env) => ({
      actor: env['CIRCLE_USERNAME'],
      repository: joined(env['CIRCLE_PROJECT_USERNAME'], env['CIRCLE_PROJECT_REPONAME']),
      request: env['CIRCLE_PR_NUMBER'] || /\/(\d+)$/.exec(env['CIRCLE_PULL_REQUEST'] ?? '')?.[1],
      commit: env['CIRCLE_SHA1'],
      job: env['CIRCLE_BUILD_URL'],
    }),
  },
  {
    name: 'Buildkite',
    runs: (env) => env['BUILDKITE'] === 'true',
    job: (env) => ({
      actor: env['BUILDKITE_UNBLOCKER'] || env['BUILDKITE_BUILD_CREATOR'],
      repository: joined(env['BUILDKITE_ORGANIZATION_SLUG'], env['BUILDKITE_PIPELINE_SLUG']),
      // `false` outside of pull requests.
      request: env['BUILDKITE_PULL_REQUEST'],
      commit: env['BUILDKITE_COMMIT'],
      job: env['BUILDKITE_BUILD_URL'],
    }),
  },
  {
    name: 'Jenkins',
    runs: (env) => filled(env['JENKINS_URL']) && filled(env['BUILD_URL']),
    job: (env) => ({
      actor: env['BUILD_USER_ID'] || env['CHANGE_AUTHOR'],
      repository: env['JOB_NAME'],
      request: env['CHANGE_ID'],
      commit: env['GIT_COMMIT'],
      job: env['BUILD_URL'],
    }),
  },
];

/** The address of a build has a query, so it is made of its parts. */
function azureJob(env: Environment): string | undefined {
  const [place, project, build] = [env['SYSTEM_COLLECTIONURI'], env['SYSTEM_TEAMPROJECT'], env['BUILD_BUILDID']];
  const server = webAddress(place);
  if (server === null || !filled(project) || !/^\d+$/.test(build ?? '')) return undefined;
  return `${server}/${encodeURIComponent(project)}/_build/results?buildId=${build}`;
}

function joined(owner: string | undefined, name: string | undefined): string | undefined {
  return filled(owner) && filled(name) ? `${owner}/${name}` : undefined;
}

function filled(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

const COMMIT = /^[0-9a-f]{7,64}$/;
const NUMBER = /^\d{1,15}$/;
const AZURE_JOB = /^https?:\/\/[^\s<>"@?#]+\/_build\/results\?buildId=\d+$/;

/** Members of a job that must have a form of their own. */
const CHECKED: { readonly [member in keyof Starter]?: (text: string) => boolean } = {
  commit: (text) => COMMIT.test(text),
  request: (text) => NUMBER.test(text),
  job: (text) => webAddress(text) !== null || AZURE_JOB.test(text),
  repository: (text) => !/^[/\\~]|^[a-z]:\\|:\/\//i.test(text),
};

/** The ledger keeps names of people and machines as one short line. */
const LONGEST = 100;
const LONGEST_ADDRESS = 300;

/** What the ledger says of who started a run, in which run over several targets, and why: without the token of the target. */
export function signingOf(
  { name, tokenEnv }: Pick<TargetSettings, 'name' | 'tokenEnv'>,
  context: Pick<RunContext, 'env' | 'self' | 'job'>,
  reason?: string,
): RunSigning {
  const { job } = context;
  const signing = { by: startedBy(context), target: name, ...(job === undefined ? {} : { fleet_run: job.fleetRun }) };
  if (reason === undefined) return signing;
  const token = context.env[tokenEnv] ?? '';
  const redact = createRedactor(token === '' ? null : { kind: 'bearer', token });
  return { ...signing, reason: redact(reason) };
}

/** The event that ends a run now. */
export function endOfRun(
  command: string,
  outcome: RunOutcome,
  settings: Pick<TargetSettings, 'name'> | null,
  { run }: Pick<Tenure, 'run'>,
  context: Pick<RunContext, 'env' | 'self' | 'clock'>,
): LedgerRunEvent {
  const stamp = stampOf(run, context.clock.now());
  const target = settings === null ? {} : { target: settings.name };
  return { ...stamp, type: 'run', command, outcome, by: startedBy(context), ...target };
}

export function startedBy({ env, self }: Pick<RunContext, 'env' | 'self'>): Starter {
  const service = CI_SERVICES.find(({ runs }) => runs(env));
  if (service === undefined) return members({ user: self.user, host: self.host });
  return { ci: service.name, ...members(service.job(env)) };
}

/** Whether this process is a job of CI, whose files another job may have written. */
export function isJob({ env }: Pick<RunContext, 'env'>): boolean {
  return /^(true|1)$/i.test(env['CI'] ?? '') || CI_SERVICES.some(({ runs }) => runs(env));
}

function members(found: { readonly [member in keyof Starter]?: string | undefined }): Starter {
  const kept = Object.entries(found).flatMap(([member, value]) => {
    const text = lineOf(value, member === 'job' ? LONGEST_ADDRESS : LONGEST);
    return text === '' || CHECKED[member as keyof Starter]?.(text) === false ? [] : [[member, text] as const];
  });
  return Object.fromEntries(kept);
}

/** One line of visible characters. */
export function lineOf(text: string | undefined, most: number): string {
  const line = (text ?? '').replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return [...line].slice(0, most).join('').trim();
}
