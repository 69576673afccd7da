// Comment about a plan on a code host, with its labels. Only this file reads a host's token: no text that leaves it has the token.

import { UsageError } from '../../base/errors.ts';
import { noValue } from '../../base/text.ts';
import type { Endpoint, HostLine } from '../../outlets/hosts/ask.ts';
import { githubEndpoint, githubHost, githubRequestFrom, githubRequestOf } from '../../outlets/hosts/github.ts';
import { gitlabEndpoint, gitlabHost, gitlabRequestOf } from '../../outlets/hosts/gitlab.ts';
import type { Host } from '../../outlets/hosts/host.ts';
import { type JobContext, TOKEN_OF } from '../../outlets/hosts/job.ts';
import type { ChangeState, PlanEffect } from '../../plan/review/plan-result.ts';
import { createRedactor } from '../../service/credential.ts';
import type { RunContext } from '../../target/context.ts';
import { labelOf, labelsOf } from './labels.ts';
import { keyOf, type Published, publish } from './sticky.ts';

export interface Posted extends Published {
  readonly request: number;
}

export interface PostOptions {
  readonly request?: number;
  readonly author?: string;
  readonly labels?: boolean;
}

/** A reply of a host is a page of a list at most: 100 comments of 65,536 characters and what surrounds them. */
const MOST_BYTES = 48 * 1024 * 1024;

/** What is posted. */
export interface Post {
  /** Of the target, or of all of them. */
  readonly name: string;
  /** Null when there is no plan. */
  readonly effect: PlanEffect | null;
  readonly state: ChangeState;
  /** Of the project in its repository: in another folder is another project, whatever its targets are called. */
  readonly folder: string;
  readonly body: string;
}

export async function post(
  { name: target, effect, state, folder, body }: Post,
  where: JobContext,
  options: PostOptions,
  context: RunContext,
): Promise<Posted> {
  const token = tokenIn(where, context.env);
  const { createLine } = await import('../../service/http.ts');
  const { exchange, close } = createLine(context.env, MOST_BYTES);
  const line: HostLine = {
    exchange,
    clock: context.clock,
    random: context.random,
    signal: context.signal,
    redact: createRedactor({ kind: 'bearer', token }),
  };
  try {
    const { host, request } = await hostOf(where, token, options, line);
    const names = [...(folder === '' ? [] : [folder]), target];
    const { run, attempt, commit } = where;
    const published = await publish(host, { key: keyOf(...names), run, attempt, commit, state }, body);
    if (options.labels === true && published.outcome !== 'late') {
      const name = names.join('/');
      await host.label(effect === null ? null : labelOf(name, effect), labelsOf(name));
    }
    return { ...published, request };
  } finally {
    await close();
  }
}

function tokenIn({ host }: JobContext, env: RunContext['env']): string {
  const name = TOKEN_OF[host];
  const token = env[name] ?? '';
  if (/^[!-~]+$/.test(token)) return token;
  throw new UsageError(
    token === ''
      ? `${noValue(env, name)}: it must hold a token that may write comments`
      : `the environment variable ${name} holds white space, or a character that no token has`,
  );
}

async function hostOf(
  where: JobContext,
  token: string,
  { request: given, author }: PostOptions,
  line: HostLine,
): Promise<{ readonly host: Host; readonly request: number }> {
  const { repository, commit, source } = where;
  const known = given ?? where.request;
  if (where.host === 'github') {
    const endpoint = githubEndpoint(where.api, token, line);
    const asked =
      source === null
        ? () => githubRequestOf(endpoint, repository, commit)
        : () => githubRequestFrom(endpoint, repository, source, commit);
    const request = known ?? found(await asked(), where, endpoint);
    return { request, host: githubHost(endpoint, { repository, request, author: author ?? null }) };
  }
  const endpoint = gitlabEndpoint(where.api, token, line);
  const request = known ?? found(await gitlabRequestOf(endpoint, repository, commit), where, endpoint);
  return { request, host: gitlabHost(endpoint, { project: repository, request }) };
}

function found(request: number | null, { commit }: JobContext, { name }: Endpoint): number {
  if (request !== null) return request;
  throw new UsageError(`${name} knows no request, or several, that brought commit ${commit}: say which with --request`);
}
