// Flags in; which file is the ledger that is meant out. Asks neither the manifest nor the license: a ledger can be looked at when both are broken.

import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { fromProject, PROJECT_FILE } from '../prepare.ts';
import type { Terminal } from '../terminal.ts';

/** Flags that every command about a ledger takes. */
export interface LedgerFlags {
  readonly target?: string;
  /** The file itself, instead of a target. */
  readonly ledger?: string;
  readonly json?: boolean;
}

/** Flags of those that change one. */
export interface ChangingFlags extends LedgerFlags {
  readonly yes?: boolean;
}

/** The settings of the target that is meant, whatever its manifest says. @throws UsageError when chatform.yaml has none, or errors */
export async function targetOf({ target }: LedgerFlags, terminal: Terminal): Promise<TargetSettings> {
  if (!existsSync(PROJECT_FILE)) {
    throw new UsageError(
      `there is no ${PROJECT_FILE} here: \`-C DIR\` names the folder of one, and \`--ledger FILE\` does without`,
    );
  }
  const { settings, diagnostics } = await fromProject(target === undefined ? {} : { target }, terminal);
  if (settings === null) throw new UsageError('the files have errors', diagnostics);
  return settings;
}

/** Two names for what may be two ledgers. */
export function refuseBoth({ target, ledger }: LedgerFlags): void {
  if (target !== undefined && ledger !== undefined)
    throw new UsageError('-t names a target of chatform.yaml, so it does not go with --ledger');
}

/** @throws UsageError when no ledger can be meant; that of a target need not exist yet */
export async function locate(flags: LedgerFlags, terminal: Terminal): Promise<string> {
  refuseBoth(flags);
  const { ledger } = flags;
  if (ledger === undefined) return (await targetOf(flags, terminal)).ledger;
  // A misspelt name would look like a ledger in which nothing is ours.
  if (!existsSync(ledger)) throw new UsageError(`--ledger ${ledger}: there is no such file`);
  return ledger;
}
