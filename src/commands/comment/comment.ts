// `chatform comment`: a saved plan in; a comment on the request it belongs to, labels, and what the runner of the job shows of it, out. Needs no credential of
// the service and reads nothing of a license.

import { readFile } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/model.ts';
import { type HostName, hostNameOf, type JobContext, jobOf } from '../../outlets/hosts/job.ts';
import { commentMarkdown } from '../../render/comment/comment.ts';
import { commandDocument, failureDocument } from '../../render/documents.ts';
import { plain } from '../../render/plain.ts';
import { type ChangeState, effectOf, endingOf } from '../../tasks/review/plan-result.ts';
import { messageOf, showError } from '../report.ts';
import { pathsInRepository } from '../repository.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type OutcomeFlags, outcomeFrom } from './outcome.ts';
import { type Posted, post, type Told } from './post.ts';
import { annotate, summarise, tellOutputs } from './runner.ts';

export interface CommentFlags extends OutcomeFlags {
  readonly state?: ChangeState;
  /** Of the apply that failed. */
  readonly exitCode?: number;
  readonly host?: HostName;
  /** Number of the pull or merge request, when the job does not tell. */
  readonly request?: number;
  readonly author?: string;
  readonly labels?: boolean;
  /** False: only what the runner shows. */
  readonly post: boolean;
  readonly json?: boolean;
}

export async function comment(flags: CommentFlags, terminal: Terminal): Promise<ExitCode> {
  const { env } = terminal;
  const state = flags.state ?? 'plan';
  if (flags.exitCode !== undefined && state !== 'failed')
    throw new UsageError('--exit-code is said of an apply that failed: it needs --state failed');
  const of = await outcomeFrom(flags, state);
  const pathOf = await pathsInRepository(env);
  const where = jobOf(flags.host ?? hostNameOf(env), env, await eventOf(env), pathOf);
  const folder = pathOf('.') ?? '';
  const origin = { commit: where.commit, run: where.runUrl, folder, lineOf: where.lineOf };
  const body = commentMarkdown({ of, state, ending: endingOf(flags.exitCode), origin });
  if (state === 'plan') annotate(of, pathOf, terminal);
  await summarise(body, terminal);
  const posted = flags.post ? await posting({ of, state, folder, body }, where, flags, terminal) : null;
  await tellOutputs(of, state, posted, terminal);
  if (posted !== null && 'failed' in posted) {
    showError(posted.failed, terminal);
    if (flags.json === true) terminal.out(failureDocument(posted.failed, []));
    return 1;
  }
  terminal.out(
    flags.json === true ? commandDocument({ ...(posted ?? NOT_POSTED), state, effect: effectOf(of) }) : textOf(posted),
  );
  return 0;
}

/** What the runner shows is shown all the same. */
async function posting(
  told: Told,
  where: JobContext,
  flags: CommentFlags,
  terminal: Terminal,
): Promise<Posted | { readonly failed: string }> {
  try {
    return await post(told, where, flags, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { failed: messageOf(error) };
  }
}

const NOT_POSTED = { outcome: null, url: null, request: null };

function textOf(posted: Posted | null): string {
  if (posted === null) return 'Nothing was posted.\n';
  const at = posted.url === null ? '' : `: ${plain(posted.url)}`;
  switch (posted.outcome) {
    case 'created':
      return `Comment made${at}\n`;
    case 'updated':
      return `Comment updated${at}\n`;
    case 'late':
      return `A newer run has commented already, so its comment stays as it is${at}\n`;
  }
}

/** What the job runs for; null where nothing says so. */
async function eventOf(env: Terminal['env']): Promise<Json> {
  const file = env['GITHUB_EVENT_PATH'] ?? '';
  if (file === '') return null;
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Json;
  } catch {
    throw new UsageError('GITHUB_EVENT_PATH does not name a file of JSON');
  }
}
