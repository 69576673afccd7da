// `doctor --ci`: whether the jobs of a project are as `init --ci` writes them, what they want of the host, and what the tokens that are set here may do.

import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { type OpenedProject, openProjectFile } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { type PipelineHost, readingName } from '../init/pipeline.ts';
import { LEDGER_BRANCH, readPipeline, type SeenPipeline } from '../init/read-pipeline.ts';
import { type CheckResult, ok, problem, unchecked, warning } from './finding.ts';
import { checkTarget } from './read-doctor.ts';

export interface NamedResult extends CheckResult {
  readonly name: string;
}

const named = (name: string, result: CheckResult): NamedResult => ({ name, ...result });

/** @throws UsageError for what `init --ci` refuses */
export async function checkJobs(host: PipelineHost, context: RunContext): Promise<readonly NamedResult[]> {
  const opened = await openProjectFile({}, context);
  if (opened.project === null) throw new UsageError('the files have errors', opened.diagnostics);
  const seen = await readPipeline({ host }, opened.project, context);
  return [
    ...seen.files.map((file) => named(file.path, checkFile(file, seen))),
    named(`branch ${LEDGER_BRANCH}`, checkBranch(seen)),
    ...(seen.tracked.length === 0 ? [] : [named('folder ledger', inGit(seen))]),
    ...seen.obstacles.map(({ name, message, remedy }) => named(name, problem(message, remedy))),
    ...(await tokenChecks(opened, context)),
    ...seen.settings.map(([name, what]) => named(name, unchecked(what))),
  ];
}

function checkFile(
  { before, after }: SeenPipeline['files'][number],
  { host, from, branch }: SeenPipeline,
): CheckResult {
  const remedy = `run \`chatform init --ci ${host}\`, which shows the lines`;
  if (before === null) return problem('it is not there', remedy);
  return before === after
    ? ok(`as \`init\` writes it, for the branch ${branch}, with ${from}`)
    : warning(`not as \`init\` writes it now for the branch ${branch}`, remedy);
}

function checkBranch({ host, hasOrigin, hasLedgers }: SeenPipeline): CheckResult {
  if (!hasOrigin) return problem('there is no remote', 'run `git remote add origin URL`');
  if (hasLedgers === null) return unchecked('the remote `origin` gives no answer');
  return hasLedgers
    ? ok('it is on the remote')
    : problem('it is not on the remote', `run \`chatform init --ci ${host}\``);
}

function inGit({ tracked }: SeenPipeline): CheckResult {
  const remedy = 'run `git rm -r --cached ledger`, and commit that';
  return problem(`git has ${few(tracked)}, and a job cannot fetch the branch of the ledgers there`, remedy);
}

/** Each token that is set here, under the name of its secret: the one that reads is asked in the place of the one that writes. */
async function tokenChecks(opened: OpenedProject, context: RunContext): Promise<readonly NamedResult[]> {
  const found: NamedResult[] = [];
  for (const { name: target, tokenEnv } of opened.project?.targets.values() ?? [])
    for (const [secret, about] of [
      [readingName(tokenEnv), ['credential', 'read_scopes']],
      [tokenEnv, ['credential', 'read_scopes', 'write_scopes']],
    ] as const) {
      const token = context.env[secret];
      if (token === undefined) continue;
      const env = { ...context.env, [tokenEnv]: token };
      const { value } = await checkTarget({ target, opened }, { reports: false }, { ...context, env });
      const asked = value.checks.filter(({ check }) => about.some((each) => each === check));
      found.push(
        ...asked.map(({ check, ...result }) => named(`${secret} of ${target}: ${check.replace('_', ' ')}`, result)),
      );
    }
  return found;
}
