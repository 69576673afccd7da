// Why a run is made: in the words of `--reason`, or else of the pull request or the commit for which the job of CI runs. Sends nothing.

import { isCredential } from '../base/credentials.ts';
import { UsageError } from '../base/errors.ts';
import { numberAt, textAt } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import type { RunContext } from '../target/context.ts';
import { lineOf, startedBy } from '../target/started-by.ts';
import { eventOf } from './origin.ts';

/** Characters of a reason: a sentence and the number of a ticket. */
const LONGEST = 200;

/**
 * The reason as one line; without a given one, the title and the number of the request, or the first line of the commit. Null where the job says neither,
 * and outside of CI.
 * @throws UsageError for a given one that is empty or too long, or that is a credential
 */
export async function reasonOf(
  given: string | undefined,
  { env, self }: Pick<RunContext, 'env' | 'self'>,
): Promise<string | null> {
  if (given !== undefined) return reasonIn(given);
  const { ci, request } = startedBy({ env, self });
  const found = ci === undefined ? undefined : CHANGES[ci]?.(env, (await eventOf(env)) ?? null, request);
  const line = lineOf(found, LONGEST);
  return line === '' || saysCredential(line) ? null : line;
}

function reasonIn(given: string): string {
  const line = lineOf(given, Number.POSITIVE_INFINITY);
  if (line === '') throw new UsageError('the reason is empty: say why in a few words, such as a ticket');
  const { length } = [...line];
  if (length > LONGEST)
    throw new UsageError(`the reason has ${length} characters, and at most ${LONGEST} are kept: write a shorter one`);
  if (saysCredential(line))
    throw new UsageError('the reason has a credential, and the ledger keeps it for good: leave it out');
  return line;
}

function saysCredential(line: string): boolean {
  return line.split(' ').some(isCredential);
}

type ChangeOf = (env: RunContext['env'], event: Json, request: string | undefined) => string | undefined;

/** What a job says of the change that it runs for, by the name of its service. */
const CHANGES: { readonly [ci: string]: ChangeOf } = {
  'GitHub Actions': (_env, event) =>
    titled(
      numberAt(event, 'pull_request', 'number') ?? numberAt(event, 'issue', 'number'),
      textAt(event, 'pull_request', 'title') ?? textAt(event, 'issue', 'title'),
    ) ??
    messageText(
      textAt(event, 'head_commit', 'message') ??
        textAt(event, 'merge_group', 'head_commit', 'message') ??
        textAt(event, 'workflow_run', 'display_title'),
    ),
  'GitLab CI': (env, _event, request) =>
    titled(request, env['CI_MERGE_REQUEST_TITLE'], '!') ?? messageText(env['CI_COMMIT_MESSAGE']),
  'Azure Pipelines': (env) => messageText(env['BUILD_SOURCEVERSIONMESSAGE']),
  Buildkite: (env) => messageText(env['BUILDKITE_MESSAGE']),
  Jenkins: (env, _event, request) => titled(request, env['CHANGE_TITLE']),
};

function titled(
  request: string | number | null | undefined,
  title: string | null | undefined,
  sign = '#',
): string | undefined {
  if (title === undefined || title === null || title === '') return undefined;
  return request === undefined || request === null ? title : `${title} (${sign}${request})`;
}

/** The first line of a message; of a merge, the title and the number of its request, as the hosts write it. */
function messageText(message: string | null | undefined): string | undefined {
  if (message === undefined || message === null) return undefined;
  const [first = '', ...others] = message.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [title] = others;
  const onGithub = /^Merge pull request #(\d+) /.exec(first)?.[1];
  if (onGithub !== undefined) return titled(onGithub, title) ?? first;
  if (!first.startsWith("Merge branch '")) return first;
  const onGitlab = /^See merge request \S*!(\d+)$/.exec(others.at(-1) ?? '')?.[1];
  return onGitlab === undefined ? first : (titled(onGitlab, others.length > 1 ? title : undefined, '!') ?? first);
}
