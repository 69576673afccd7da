// `chatform comment` and its flags. Knows nothing of what it does; that is loaded when it is called.

import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Run } from './commands/flags.ts';

function requestNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('write it as a number, such as 12');
  return Number(value);
}

function exitCode(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 255)
    throw new InvalidArgumentError('write it as a number from 0 to 255');
  return Number(value);
}

export function addCommentCommand(program: Command, run: Run): void {
  program
    .command('comment')
    .description(
      'say what a saved plan does in one comment on its pull or merge request, and keep it up to date; needs no token of the service',
    )
    .addHelpText(
      'after',
      `
In a job of GitHub it needs GITHUB_TOKEN with \`permissions: { pull-requests: write }\`, in one of GitLab GITLAB_TOKEN with the scope api.
Exit codes: 0 done, also when a newer run has commented already; 1 error.`,
    )
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
    .option('--exit-code <number>', 'with --state failed: how the apply ended', exitCode)
    .option('--labels', 'also label the request: destroy, add-or-update or no-changes')
    .option('--no-post', 'only annotations, summary and outputs for the runner; needs no token at all')
    .option('--request <number>', 'the pull or merge request, when the job does not tell', requestNumber)
    .addOption(new Option('--host <name>', 'when the job does not tell').choices(['github', 'gitlab'] as const))
    .option('--author <login>', 'GitHub: as whom the token writes, when it may not say, such as my-app[bot]')
    .option('--json', 'print one JSON document instead of text')
    .action((flags) =>
      run(flags, async (terminal) => (await import('./commands/comment/comment.ts')).comment(flags, terminal)),
    );
}
