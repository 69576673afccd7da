// `chatform drift` of several targets: one table of a check of all; with --watch, each is checked as often as `fleet: drift` says of it.

import pLimit from 'p-limit';
import type { FleetSettings } from '../project/fleet-settings.ts';
import { labelled } from '../project/selection.ts';
import type { TargetSettings } from '../project/settings.ts';
import { sinceText } from '../render/words/targets.ts';
import type { OpenedProject } from '../run/choice.ts';
import { USUAL_PARALLEL } from '../run/selected.ts';
import { type CommonFlags, chosenTargets, openedFor, requireAbsent } from './chosen-targets.ts';
import type { WatchedAmong } from './drift-watch.ts';
import type { FlagsOfOne, Several } from './flags.ts';
import { type Result, showDiagnostics, showRemark } from './result.ts';
import { forEachTarget } from './targets.ts';
import type { Terminal } from './terminal.ts';

interface DriftFlags extends CommonFlags {
  readonly accept?: readonly string[] | true;
  readonly watch?: true;
  readonly every?: string;
  readonly cron?: string;
  readonly sightings?: string | boolean;
}

export async function driftTargets<Flags extends DriftFlags, Args extends unknown[]>(
  several: Several<Flags, Args>,
  drift: (flags: FlagsOfOne<Flags>, terminal: Terminal, among: WatchedAmong) => Promise<Result>,
): Promise<Result> {
  const { sightings, accept, watch } = several.flags;
  // One file would be that of whichever target wrote it last.
  if (several.flags.on !== undefined) requireAbsent({ '--watch': watch, '--accept': accept });
  requireAbsent({ '--sightings': typeof sightings === 'string' ? sightings : undefined });
  if (watch === true) return watchTargets(several, drift);
  return forEachTarget('drift', several, accept === undefined ? {} : { writesFiles: true });
}

/** How long an opened project counts as new, in milliseconds. */
const FRESH = 30_000;

async function watchTargets<Flags extends DriftFlags, Args extends unknown[]>(
  several: Several<Flags, Args>,
  drift: (flags: FlagsOfOne<Flags>, terminal: Terminal, among: WatchedAmong) => Promise<Result>,
): Promise<Result> {
  const { target, label, all, changedSince, parallel = USUAL_PARALLEL, report, ...others } = several.flags;
  requireAbsent({ '--report': report });
  const chosen = await chosenTargets('drift', several);
  if ('code' in chosen) return chosen;
  const { opened: first, scope, terminal } = chosen;
  showDiagnostics(scope.diagnostics, terminal);
  const since = sinceText(scope);
  if (since !== null) showRemark(`${since}\n`, terminal);
  let opened: { readonly project: Promise<OpenedProject>; readonly at: number } = {
    project: Promise.resolve(first),
    at: terminal.clock.now(),
  };
  const among: WatchedAmong = {
    limit: pLimit(parallel),
    project: () => {
      const now = terminal.clock.now();
      if (now - opened.at > FRESH) opened = { project: openedFor(several.flags, terminal), at: now };
      return opened.project;
    },
  };
  await Promise.all(
    scope.targets.map((settings) => {
      const own: object = {
        ...others,
        target: settings.name,
        ...everyOf(several.flags, first.project.fleet, settings),
      };
      return drift(own as FlagsOfOne<Flags>, terminal, among);
    }),
  );
  return { code: 0, document: null, text: null };
}

/** What the command was given holds for all. */
function everyOf({ every, cron }: DriftFlags, { drift }: FleetSettings, target: TargetSettings) {
  if (every !== undefined || cron !== undefined) return {};
  const found = drift.find(({ conditions }) => labelled(target, conditions));
  return found === undefined ? {} : { every: found.every };
}
