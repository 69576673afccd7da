// Runs over several targets, as the ledgers of these targets know them, so that any checkout finds them.

import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { CommonFlags } from '../../command/chosen-targets.ts';
import { runNamed } from '../../ledger/named-run.ts';
import { recordedRuns } from '../../ledger/runs.ts';
import { formerTargets } from '../../many/scope.ts';
import type { Project } from '../../project/project.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { openProjectFile, PROJECT_FILE } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { ledgerAt } from '../../target/stores.ts';
import { outlookOf } from './outlook.ts';

export interface FleetRunFound {
  readonly id: string;
  /** RFC 3339: when it last began to change a target. */
  readonly at: string;
  readonly command: string;
  /** The targets that it changed, and those whose ledger cannot be read: what is done with them says why. */
  readonly targets: readonly string[];
  /** Former targets that it changed, of which only the ledgers are left. */
  readonly gone: readonly string[];
}

type TargetLedger = Pick<TargetSettings, 'name' | 'ledger'>;

/** What a run over several targets did to one of them. */
interface Part extends Pick<FleetRunFound, 'id' | 'at' | 'command'> {
  readonly target: string;
  readonly isUndoable: () => boolean;
}

/** The run whose id begins as `wanted`, or the last that can be taken back somewhere; null when there is none. @throws UsageError for several */
export async function fleetRunMeant(
  wanted: string | null,
  targets: readonly TargetLedger[],
  project: Project,
  context: RunContext,
): Promise<FleetRunFound | null> {
  const read = async ({ name, ledger }: TargetLedger) => ({ name, parts: await partsIn(name, ledger, context) });
  const ledgers = await Promise.all(targets.map(read));
  const parts = ledgers
    .flatMap(({ parts: own }) => own ?? [])
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const ids = [...new Set(parts.map(({ id }) => id))];
  const id =
    wanted === null ? parts.find(({ isUndoable }) => isUndoable())?.id : runNamed(ids, (each) => [each], wanted);
  const last = parts.find((part) => part.id === id);
  if (last === undefined) return null;
  const has = (own: readonly Part[] | null): boolean => own?.some((part) => part.id === last.id) === true;
  const former = await Promise.all((await formerTargets(project, context)).map(read));
  return {
    ...{ id: last.id, at: last.at, command: last.command },
    targets: ledgers.flatMap(({ name, parts: own }) => (own === null || has(own) ? [name] : [])),
    gone: former.flatMap(({ name, parts: own }) => (has(own) ? [name] : [])),
  };
}

/** Null for a ledger that cannot be read. */
async function partsIn(target: string, ledger: string, context: RunContext): Promise<readonly Part[] | null> {
  const events = await ledgerAt(ledger, context)
    .read()
    .catch((error: unknown) => {
      if (error instanceof UsageError) return null;
      throw error;
    });
  if (events === null) return null;
  const runs = recordedRuns(events);
  return runs.flatMap((run): readonly Part[] => {
    const { fleetRun: id, at, command } = run;
    const isUndoable = (): boolean => outlookOf(events, run, runs).possible !== 'no';
    return id === null ? [] : [{ id, at, command, target, isUndoable }];
  });
}

/** @param wanted - As the person named it; null for the last. */
export function noRun(wanted: string | null): UsageError {
  return new UsageError(
    wanted === null
      ? 'no run over several of these targets can be taken back; `chatform history --all` lists the runs'
      : `no ledger of these targets knows a run over several targets that begins with ${wanted}; \`chatform history --all\` lists them. Of a run of one target, name the target with -t`,
  );
}

/** The run over several targets that a person means who names it, and no target; null where a run of the default target is meant. @throws UsageError for none */
export async function fleetRunNamed(
  wanted: string | undefined,
  { target, ledger, file, baseUrl }: CommonFlags,
  context: RunContext,
): Promise<FleetRunFound | null> {
  const isOfOne = [target, ledger, file, baseUrl].some((given) => given !== undefined);
  if (wanted === undefined || wanted === '' || isOfOne || !existsSync(PROJECT_FILE)) return null;
  const { project } = await openProjectFile({}, context);
  if (project === null || project.targets.size < 2) return null;
  const found = await fleetRunMeant(wanted, [...project.targets.values()], project, context);
  if (found === null && project.defaultTarget === null) throw noRun(wanted);
  return found;
}
