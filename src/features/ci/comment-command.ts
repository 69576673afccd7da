// `chatform ci comment`: one comment about a saved plan on its request, labels, and what the runner of the job shows. Needs no token of the service.

import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { command, type FlagsOf, wholeNumber } from '../../command/flags.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import type { ChangeState, PlanFacts, PlanResult } from '../../plan/review/plan-result.ts';
import type { CommentOrigin } from '../plan/comment.ts';
import type { Posted } from './send-comment.ts';

const HELP = `
In a job of GitHub it needs GITHUB_TOKEN with \`permissions: { pull-requests: write }\`, in one of GitLab GITLAB_TOKEN with the scope api.
Exit codes: 0 done, also when a newer run has commented already; 1 error.`;

const declare = (program: Command) =>
  program
    .command('comment')
    .description('say what a saved plan does in one comment on its request, and keep it up to date')
    .addHelpText('after', HELP)
    .option(
      '--plan <file>',
      'a file of `plan --out`, or what `plan --json` printed when no plan could be made; or the folder of `plan --all --out`',
    )
    .option(
      '--results <file>',
      'of a folder: what `plan` or `apply` of several targets wrote as `--report json=FILE`, or printed with --json; with --state applied: what `test --on customer --json`, or `apply --test-on-customer --json`, printed',
    )
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
    .option('--labels', 'also label the request: destroy, add-or-update or no-changes')
    .option('--no-post', 'only annotations, summary and outputs for the runner; needs no token at all')
    .option('--request <number>', 'the pull or merge request, when the job does not tell', wholeNumber(1, 999_999_999))
    .addOption(new Option('--host <name>', 'when the job does not tell').choices(['github', 'gitlab'] as const))
    .option('--author <login>', 'GitHub: as whom the token writes, when it may not say, such as my-app[bot]')
    .option('--json', 'print one JSON document instead of text');

type Flags = FlagsOf<typeof declare>;

export const ciComment = command(declare, comment);

async function comment(flags: Flags, terminal: Terminal): Promise<Result> {
  const [{ post }, runner, { hostNameOf, jobOf }, { pathsInRepository }, { eventOf }] = await Promise.all([
    import('./send-comment.ts'),
    import('./send-runner.ts'),
    import('../../outlets/hosts/job.ts'),
    import('../../outlets/repository.ts'),
    import('../../planning/origin.ts'),
  ]);
  const [{ commandDocument }, { plain }, { postedText }, { failed }, { planFindings }] = await Promise.all([
    import('../../view/documents.ts'),
    import('../../view/plain.ts'),
    import('./comment.ts'),
    import('../../command/result.ts'),
    import('../plan/findings.ts'),
  ]);
  const { env } = terminal;
  const { state = 'plan' } = flags;
  if (flags.exitCode !== undefined && state !== 'failed')
    throw new UsageError('--exit-code is said of an apply that failed: it needs --state failed');
  const { name, facts, plans, title, markdown } = await subjectOf(flags, state, terminal);
  const pathOf = await pathsInRepository(env);
  const event = await eventOf(env);
  if (event === undefined) throw new UsageError('GITHUB_EVENT_PATH does not name a file of JSON');
  const where = jobOf(flags.host ?? hostNameOf(env), env, event, pathOf);
  const folder = pathOf('.') ?? '';
  const body = markdown({ commit: where.commit, run: where.runUrl, folder, lineOf: where.lineOf });
  if (state === 'plan')
    runner.annotate(
      plans.map((of) => planFindings(of, null)),
      title,
      pathOf,
      terminal,
    );
  await runner.summarise(body, terminal);
  // What the runner shows is shown even when the host refuses the comment.
  const posted = flags.post
    ? await post({ name, effect: facts.effect, state, folder, body }, where, flags, terminal).catch(
        (error: unknown) => {
          if (!(error instanceof UsageError)) throw error;
          return { failed: error.message };
        },
      )
    : null;
  await runner.tellOutputs(facts, state, posted, terminal);
  if (posted !== null && 'failed' in posted) return failed(plain(posted.failed));
  return {
    code: 0,
    document: () => commandDocument({ ...(posted ?? NOT_POSTED), state, effect: facts.effect }),
    text: () => postedText(posted),
  };
}

/** What a comment is about. */
interface Subject {
  /** By which the comment is found again, and labels are told apart. */
  readonly name: string;
  readonly facts: PlanFacts;
  /** Those of which findings are annotated, with the title of each. */
  readonly plans: readonly PlanResult[];
  readonly title: string;
  readonly markdown: (origin: CommentOrigin) => string;
}

/** No target has this name. */
const SEVERAL = 'all targets';

async function subjectOf(flags: Flags, state: ChangeState, terminal: Terminal): Promise<Subject> {
  const { plan, results, target, exitCode } = flags;
  const [{ isFolder, reviewFolder }, { endingOf, factsOf, targetOf }] = await Promise.all([
    import('../../many/plans/folder.ts'),
    import('../../plan/review/plan-result.ts'),
  ]);
  const ending = endingOf(exitCode);
  if (plan === undefined || !(await isFolder(plan))) {
    const [{ planResultFrom }, { commentMarkdown }] = await Promise.all([
      import('./read-plan.ts'),
      import('../plan/comment.ts'),
    ]);
    const of = await planResultFrom(flags, state, terminal);
    const name = targetOf(of) ?? '';
    const markdown = (origin: CommentOrigin) => commentMarkdown({ of, state, ending, origin });
    return { name, facts: factsOf(of), plans: [of], title: `chatform ${name}`.trim(), markdown };
  }
  if (target !== undefined) throw new UsageError(`--target goes with the plan of one target, and ${plan} is a folder`);
  const of = await reviewFolder(plan, results, terminal);
  if ('outcome' in of) {
    const { commentMarkdown } = await import('../plan/comment.ts');
    const markdown = (origin: CommentOrigin) => commentMarkdown({ of, state, ending, origin });
    return { name: SEVERAL, facts: factsOf(of), plans: [of], title: 'chatform', markdown };
  }
  const { plansMarkdown } = await import('../plan/plans-comment.ts');
  const { facts, groups, unplanned } = of;
  const unmade = unplanned.map((name): PlanResult => {
    const message = of.report.targets.find((answer) => answer.target === name)?.message ?? '';
    return { outcome: 'failed', target: name, message: `${name}: ${message}`, diagnostics: [] };
  });
  const diagnostics = of.report.diagnostics.filter(({ severity }) => severity === 'error');
  const wrong: PlanResult = { outcome: 'failed', target: null, message: '', diagnostics };
  return {
    name: SEVERAL,
    facts,
    plans: [...(diagnostics.length > 0 ? [wrong] : []), ...unmade, ...groups.map((group) => group.of)],
    title: 'chatform',
    markdown: (origin) => plansMarkdown({ of, state, ending, origin }),
  };
}

const NOT_POSTED = { outcome: null, url: null, request: null } satisfies { readonly [member in keyof Posted]: null };
