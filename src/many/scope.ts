// The targets that a command for several of them is about: those that are selected and touched; and the former targets that it no longer sees.

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../base/model.ts';
import { few } from '../base/text.ts';
import { placeName } from '../ledger/place.ts';
import { storedLedgers } from '../ledger/postgres/ledger.ts';
import type { Project } from '../project/project.ts';
import { TARGET_NAME } from '../project/schema/targets.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { OpenedProject, TargetChoice } from '../target/choice.ts';
import type { RunContext } from '../target/context.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import { touchedSince } from './git/changed-since.ts';
import type { TargetsReport } from './schema.ts';
import { type Selector, selected } from './selected.ts';

/** What a command is about. */
export interface Scope extends Pick<TargetsReport, 'since' | 'orphaned'> {
  readonly targets: readonly TargetSettings[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ScopeChoice extends Selector, Pick<TargetChoice, 'var' | 'varFile'> {
  readonly changedSince?: string;
}

/** Commands that look for ledgers without a target. */
const LOOKING: readonly string[] = ['validate', 'plan', 'drift'];

/** A command that does not ask the service does not ask a database either. */
const OFFLINE = 'validate';

/** @throws UsageError for a selection that no target fits, and for a commit that git does not have */
export async function scopeOf(
  command: string,
  among: readonly TargetSettings[],
  opened: OpenedProject & { readonly project: Project },
  choice: ScopeChoice,
  context: Pick<RunContext, 'env' | 'clock' | 'log' | 'databases' | 'notice'>,
): Promise<Scope> {
  const asked = selected(among, choice);
  const { changedSince: ref } = choice;
  const touched = ref === undefined ? null : await touchedSince(ref, asked, opened, choice, context);
  const isWhole = choice.target === undefined && choice.label === undefined;
  const ofLedgers = isWhole && LOOKING.includes(command) ? await withoutTarget(command, opened.project, context) : [];
  const orphaned = [...new Set([...(isWhole ? (touched?.gone ?? []) : []), ...ofLedgers])].sort();
  const targets = touched?.targets ?? asked;
  return {
    targets,
    since:
      ref === undefined || touched === null
        ? null
        : { ref, commit: touched.commit, untouched: asked.length - targets.length },
    orphaned,
    diagnostics: orphaned.length === 0 ? [] : [orphanedWarning(orphaned, opened)],
  };
}

async function withoutTarget(
  command: string,
  project: Project,
  context: Pick<RunContext, 'env' | 'databases' | 'notice'>,
): Promise<readonly string[]> {
  if (project.ledgerStore !== null && command === OFFLINE) return [];
  return (await formerTargets(project, context)).map(({ name }) => name);
}

/** Former targets by their ledgers: in the database of the project, or where one folder has the ledgers of all targets, each by its name. */
export async function formerTargets(
  { targets, ledgerTemplate, ledgerStore }: Project,
  context: Pick<RunContext, 'env' | 'databases' | 'notice'>,
): Promise<readonly Pick<TargetSettings, 'name' | 'ledger'>[]> {
  if (ledgerStore !== null) {
    const database = context.databases.at(ledgerStore.variable, context);
    const stored = await storedLedgers(database, ledgerStore.project);
    return stored
      .filter((name) => !targets.has(name))
      .map((name) => ({ name, ledger: placeName({ ...ledgerStore, name }) }));
  }
  const ledgers = Array.from(targets.values(), ({ name, ledger }) => ({ name, ledger: basename(ledger) }));
  const folders = new Set(Array.from(targets.values(), ({ ledger }) => dirname(ledger)));
  const [folder] = folders;
  if (ledgerTemplate === null || folder === undefined || folders.size > 1) return [];
  const files = await readdir(folder).catch(() => []);
  const template = basename(ledgerTemplate);
  return ledgersOfNone(template, ledgers, files).map((name) => ({
    name,
    ledger: join(
      folder,
      template.replace(NAME, () => name),
    ),
  }));
}

function orphanedWarning(names: readonly string[], { markOf, project }: OpenedProject & { readonly project: Project }) {
  const [one, many] = [`target ${names[0] ?? ''} is orphaned`, `${names.length} targets are orphaned: ${few(names)}`];
  const isStored = project.ledgerStore !== null;
  const mark = markOf(
    isStored ? ['ledger_store'] : project.ledgerTemplate === null ? ['targets_from'] : ['defaults', 'ledger'],
  );
  return diagnose(mark, {
    code: 'orphaned-target',
    severity: 'warning',
    message: `${names.length === 1 ? one : many}; chatform.yaml no longer has ${names.length === 1 ? 'it' : 'them'}, and license and ledger stay as they are`,
    remedy: isStored
      ? 'restore the row; or name this project in ledger_store, where another one has the same name; or, once the license is closed, delete its ledger (docs/how-to/workers.md)'
      : 'restore the row; or, once the license is closed, delete its ledger, which `chatform ledger show --ledger FILE` shows',
  });
}

const NAME = '${target.name}';

/**
 * Names of targets that are gone, of the files in the folder of the ledgers. None where names of files do not tell names of targets: `template` has
 * more than the name of the target, or a target has a ledger of another form.
 */
function ledgersOfNone(
  template: string,
  targets: readonly { readonly name: string; readonly ledger: string }[],
  files: readonly string[],
): readonly string[] {
  const [before = '', after = '', ...more] = template.split(NAME);
  if (more.length > 0 || `${before}${after}`.includes('${') || after === '') return [];
  if (targets.some(({ name, ledger }) => ledger !== `${before}${name}${after}`)) return [];
  const known = new Set(targets.map(({ name }) => name));
  return files.flatMap((file) => {
    if (!file.startsWith(before) || !file.endsWith(after) || file.length <= before.length + after.length) return [];
    const name = file.slice(before.length, file.length - after.length);
    return TARGET_NAME.test(name) && !known.has(name) ? [name] : [];
  });
}
