// The targets that a command for several of them is about, by its flags, and what the runs for them share.

import { setMaxListeners } from 'node:events';
import { UsageError } from '../base/errors.ts';
import { few } from '../base/text.ts';
import { type Scope, scopeOf } from '../many/scope.ts';
import type { Project } from '../project/project.ts';
import type { TargetSettings } from '../project/settings.ts';
import { budgetsOf } from '../target/budgets.ts';
import { type OpenedProject, openProjectFile } from '../target/choice.ts';
import { sharedAnswers } from '../target/shared-answers.ts';
import { flagsGiven, type TargetsFlags, type WorkersFlags } from './flags.ts';
import { type Result, refused } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Flags that every command for several targets may have. */
export interface CommonFlags extends TargetsFlags, WorkersFlags {
  readonly file?: readonly string[];
  readonly baseUrl?: string;
  readonly ledger?: string;
  readonly csv?: true;
  readonly var?: { readonly [name: string]: string };
  readonly varFile?: readonly string[];
  readonly json?: true;
  readonly quiet?: true;
  readonly report?: readonly string[];
}

/** @throws UsageError for a flag that makes sense for one target only */
export function requireAbsent(values: { readonly [flag: string]: unknown }): void {
  const names = flagsGiven(values);
  if (names.length > 0)
    throw new UsageError(`${few(names)}: only for one target; name it with \`-t NAME\`, or leave out ${few(names)}`);
}

/** What is known before the targets are chosen. */
export interface KnownTargets {
  /** The project, if it was opened before. */
  readonly opened?: OpenedProject;
  /** The only targets that can be chosen; by default those of chatform.yaml. */
  readonly among?: readonly string[];
}

export interface ChosenTargets {
  readonly opened: OpenedProject & { readonly project: Project };
  readonly scope: Scope;
  /** The terminal of the command, with a budget for each token: all requests of the command count, also those of checks. */
  readonly terminal: Terminal;
}

/**
 * Opens the project, and chooses the targets. A project with errors is the result.
 * @throws UsageError for a flag that makes sense for one target only, and for a choice that no target fits
 */
export async function chosenTargets(
  command: string,
  { flags, terminal }: { readonly flags: CommonFlags; readonly terminal: Terminal },
  { opened: known, among }: KnownTargets = {},
): Promise<ChosenTargets | Result> {
  const { file, baseUrl, ledger } = flags;
  requireAbsent({ '-f': file, '--base-url': baseUrl, '--ledger': ledger });
  const opened = known ?? (await openedFor(flags, terminal));
  const { project } = opened;
  if (project === null) return refused(opened.diagnostics);
  const scope = await scopeOf(command, amongOf(project, among), { ...opened, project }, flags, terminal);
  // Each target listens for the signal that stops it.
  setMaxListeners(0, terminal.signal);
  const budgets = budgetsOf(project, terminal);
  return {
    opened: { ...opened, project },
    scope,
    terminal: { ...terminal, budgets, answers: sharedAnswers(terminal.clock) },
  };
}

/** The project as its file says it now. */
export function openedFor(
  { varFile }: Pick<CommonFlags, 'varFile'>,
  environment: Pick<Terminal, 'env'>,
): Promise<OpenedProject> {
  return openProjectFile(varFile === undefined ? {} : { varFile }, environment);
}

/** @throws UsageError for a target that chatform.yaml does not have */
function amongOf({ file, targets }: Project, names: readonly string[] | undefined): readonly TargetSettings[] {
  if (names === undefined) return [...targets.values()];
  const gone = names.filter((name) => !targets.has(name));
  if (gone.length > 0) throw new UsageError(`${file} has no target ${few(gone)} any more: plan again`);
  const wanted = new Set(names);
  return [...targets.values()].filter(({ name }) => wanted.has(name));
}
