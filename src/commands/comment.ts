// `chatform comment`: one comment about a saved plan on its request, labels, and what the runner of the job shows. Needs no token of the service.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../base/errors.ts';
import type { Posted } from '../outlets/hosts/post.ts';
import { command, type FlagsOf, wholeNumber } from './flags.ts';
import type { Result } from './result.ts';
import type { Terminal } from './terminal.ts';

const HELP = `
In a job of GitHub it needs GITHUB_TOKEN with \`permissions: { pull-requests: write }\`, in one of GitLab GITLAB_TOKEN with the scope api.
Exit codes: 0 done, also when a newer run has commented already; 1 error.`;

const declare = (program: Command) =>
  program
    .command('comment')
    .description(
      'say what a saved plan does in one comment on its pull or merge request, and keep it up to date; needs no token of the service',
    )
    .addHelpText('after', HELP)
    .option('--plan <file>', 'a file of `plan --out`, or what `plan --json` printed when no plan could be made')
    .option('-t, --target <name>', 'the target of which no plan could be made')
    .addOption(
      new Option('--state <state>', 'how far it is (default: plan)').choices([
        'plan',
        'applying',
        'applied',
        'failed',
      ] as const),
    )
    .option('--exit-code <number>', 'with --state failed: how the apply ended', wholeNumber(0, 255))
    .option(
      '--verify <file>',
      'with --state applied: what `verify --json`, or `apply --verify-as-customer --json`, printed',
    )
    .option('--labels', 'also label the request: destroy, add-or-update or no-changes')
    .option('--no-post', 'only annotations, summary and outputs for the runner; needs no token at all')
    .option('--request <number>', 'the pull or merge request, when the job does not tell', wholeNumber(1, 999_999_999))
    .addOption(new Option('--host <name>', 'when the job does not tell').choices(['github', 'gitlab'] as const))
    .option('--author <login>', 'GitHub: as whom the token writes, when it may not say, such as my-app[bot]')
    .option('--json', 'print one JSON document instead of text');

type Flags = FlagsOf<typeof declare>;

export const commentCommand = command(declare, comment);

async function comment(flags: Flags, terminal: Terminal): Promise<Result> {
  const [{ planResultFrom, post }, runner, { hostNameOf, jobOf }, { pathsInRepository }, { eventOf }, subject] =
    await Promise.all([
      import('../outlets/hosts/post.ts'),
      import('../outlets/hosts/runner.ts'),
      import('../outlets/hosts/job.ts'),
      import('../outlets/repository.ts'),
      import('../run/origin.ts'),
      import('../tasks/review/plan-result.ts'),
    ]);
  const [{ commentMarkdown }, { commandDocument }, { plain }, { postedText }, { failed }] = await Promise.all([
    import('../render/comment/comment.ts'),
    import('../render/documents.ts'),
    import('../render/plain.ts'),
    import('../render/text/comment.ts'),
    import('./result.ts'),
  ]);
  const { env } = terminal;
  const { state = 'plan' } = flags;
  if (flags.exitCode !== undefined && state !== 'failed')
    throw new UsageError('--exit-code is said of an apply that failed: it needs --state failed');
  const of = await planResultFrom(flags, state);
  const pathOf = await pathsInRepository(env);
  const event = await eventOf(env);
  if (event === undefined) throw new UsageError('GITHUB_EVENT_PATH does not name a file of JSON');
  const where = jobOf(flags.host ?? hostNameOf(env), env, event, pathOf);
  const folder = pathOf('.') ?? '';
  const origin = { commit: where.commit, run: where.runUrl, folder, lineOf: where.lineOf };
  const body = commentMarkdown({ of, state, ending: subject.endingOf(flags.exitCode), origin });
  if (state === 'plan') runner.annotate(of, pathOf, terminal);
  await runner.summarise(body, terminal);
  // What the runner shows is shown even when the host refuses the comment.
  const posted = flags.post
    ? await post({ of, state, folder, body }, where, flags, terminal).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        return { failed: error.message };
      })
    : null;
  await runner.tellOutputs(of, state, posted, terminal);
  if (posted !== null && 'failed' in posted) return failed(plain(posted.failed));
  return {
    code: 0,
    document: () => commandDocument({ ...(posted ?? NOT_POSTED), state, effect: subject.effectOf(of) }),
    text: () => postedText(posted),
  };
}

const NOT_POSTED = { outcome: null, url: null, request: null } satisfies { readonly [member in keyof Posted]: null };
