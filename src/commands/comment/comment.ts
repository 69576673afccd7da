// `chatform comment`: a saved plan in; a comment on the request it belongs to, labels, and what the runner of the job shows of it, out. Needs no credential of
// the service and reads nothing of a license.

import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type HostName, hostNameOf, type Where, whereOf } from '../../hosts/where.ts';
import type { Json } from '../../model.ts';
import { commentMarkdown } from '../../render/comment/comment.ts';
import { effectOf, type Outcome, type State } from '../../render/comment/subject.ts';
import { commentDocument, failureDocument } from '../../render/documents.ts';
import { plannedOutcome } from '../plan-reports.ts';
import { messageOf, showError } from '../report.ts';
import { planIn } from '../saved/plan-file.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type Posted, post } from './post.ts';
import { annotate, summarise, tellOutputs } from './runner.ts';

export interface CommentFlags {
  /** A file of `plan --out`; left out when no plan could be made. */
  readonly plan?: string;
  /** Of the comment, when there is no plan. */
  readonly target?: string;
  readonly state?: State;
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
  const of = await outcomeFrom(flags, state);
  const where = whereOf(flags.host ?? hostNameOf(env), env, await eventOf(env), folderOf(env));
  const origin = { commit: where.commit, run: where.runUrl, lineOf: where.lineOf };
  const body = commentMarkdown({ of, state, origin });
  if (state === 'plan') annotate(of, folderOf(env), terminal);
  await summarise(body, terminal);
  const posted = flags.post ? await posting(of, state, body, where, flags, terminal) : null;
  await tellOutputs(of, state, posted, terminal);
  if (posted !== null && 'failed' in posted) {
    showError(posted.failed, terminal);
    if (flags.json === true) terminal.out(failureDocument(posted.failed, []));
    return 1;
  }
  terminal.out(
    flags.json === true ? commentDocument({ ...(posted ?? NOT_POSTED), state, effect: effectOf(of) }) : textOf(posted),
  );
  return 0;
}

/** What the runner shows is shown all the same. */
async function posting(
  of: Outcome,
  state: State,
  body: string,
  where: Where,
  flags: CommentFlags,
  terminal: Terminal,
): Promise<Posted | { readonly failed: string }> {
  try {
    return await post(of, state, body, where, flags, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { failed: messageOf(error) };
  }
}

const NOT_POSTED = { outcome: null, url: null, request: null };

function textOf(posted: Posted | null): string {
  if (posted === null) return 'Nothing was posted.\n';
  const at = posted.url === null ? '' : `: ${posted.url}`;
  switch (posted.outcome) {
    case 'created':
      return `Comment made${at}\n`;
    case 'updated':
      return `Comment updated${at}\n`;
    case 'late':
      return `A newer run has commented already, so its comment stays as it is${at}\n`;
  }
}

async function outcomeFrom({ plan: file, target }: CommentFlags, state: State): Promise<Outcome> {
  if (file === undefined) {
    if (state === 'applying' || state === 'applied')
      throw new UsageError(`--state ${state} is said of a plan: name the file of \`plan --out\` with --plan`);
    if (target === undefined)
      throw new UsageError(
        'name the file of `plan --out` with --plan; where no plan could be made, name the target with --target',
      );
    return { outcome: 'failed', target, message: '', diagnostics: [] };
  }
  if (target !== undefined) throw new UsageError('--target goes without --plan only: a plan knows its target');
  const { plan, diagnostics, digest } = await planIn(file);
  return plannedOutcome(plan, diagnostics, digest);
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

/** Where the files are, seen from the repository: hosts name them from there. */
function folderOf(env: Terminal['env']): string {
  const root = env['GITHUB_WORKSPACE'] ?? env['CI_PROJECT_DIR'] ?? '';
  if (root === '') return '';
  const folder = relative(root, process.cwd());
  return folder === '' || folder.startsWith('..') ? '' : `${folder.replaceAll('\\', '/')}/`;
}
