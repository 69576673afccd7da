// `chatform drift` of several targets: one table of a check of all; with --watch, each is checked as often as `fleet: drift` says of it.

import pLimit from 'p-limit';
import { UsageError } from '../base/errors.ts';
import { driftRuleOf, type FleetSettings } from '../project/fleet-settings.ts';
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
  readonly notify?: string;
}

export async function driftTargets<Flags extends DriftFlags, Args extends unknown[]>(
  several: Several<Flags, Args>,
  drift: (flags: FlagsOfOne<Flags>, terminal: Terminal, among: WatchedAmong) => Promise<Result>,
): Promise<Result> {
  const { sightings, accept, watch, on } = several.flags;
  if (on !== undefined) {
    if (watch === true)
      throw new UsageError(
        '--watch checks in this process, and workers check by themselves, as often as `fleet: drift` of chatform.yaml says: leave out --watch or --on',
      );
    requireAbsent({ '--accept': accept });
  }
  // One file would be that of whichever target wrote it last.
  requireAbsent({ '--sightings': typeof sightings === 'string' ? sightings : undefined });
  if (watch === true) return watchTargets(several, drift);
  if (on !== undefined) return forEachTarget('drift', { ...several, flags: await toldHere(several) });
  return forEachTarget('drift', several, accept === undefined ? {} : { writesFiles: true });
}

/** Workers have no terminal, and would tell the channels what a person sees here. */
async function toldHere<Flags extends DriftFlags>({
  flags,
  terminal,
}: Pick<Several<Flags, unknown[]>, 'flags' | 'terminal'>): Promise<Flags> {
  const { isAtTerminal } = await import('./drift-check.ts');
  const isSeen = flags.detach !== true && isAtTerminal(terminal);
  return flags.notify === undefined && isSeen ? { ...flags, notify: 'never' } : flags;
}

/** How long an opened project counts as new, in milliseconds. */
const FRESH = 30_000;

async function watchTargets<Flags extends DriftFlags, Args extends unknown[]>(
  several: Several<Flags, Args>,
  drift: (flags: FlagsOfOne<Flags>, terminal: Terminal, among: WatchedAmong) => Promise<Result>,
): Promise<Result> {
  const { target, label, all, changedSince, parallel = USUAL_PARALLEL, report, csv, ...others } = several.flags;
  requireAbsent({ '--report': report, '--csv': csv });
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
function everyOf({ every, cron }: DriftFlags, fleet: FleetSettings, target: TargetSettings) {
  if (every !== undefined || cron !== undefined) return {};
  const found = driftRuleOf(fleet, target);
  return found === null ? {} : { every: found.every };
}
