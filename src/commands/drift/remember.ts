// A look and what was remembered before it in; what is remembered after it, whoever has to be told told, and the heartbeat, out. What goes wrong here is
// said, and changes nothing of what the look found.

import { UsageError } from '../../base/errors.ts';
import type { NotifyMode } from '../../outlets/notify/transition.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { Look } from '../../tasks/drift/report.ts';
import type { Sightings } from '../../tasks/drift/sightings.ts';
import { showWarning } from '../report.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { beatHeart, notify } from './notify.ts';
import type { Memory, SightingsFile } from './sightings-file.ts';

export interface Remembering {
  readonly file: SightingsFile;
  /** What it recalled before the look. */
  readonly memory: Memory;
  readonly settings: Pick<TargetSettings, 'name' | 'tokenEnv' | 'notify'>;
  readonly mode: NotifyMode | 'never';
}

export interface TellFlags {
  readonly notify?: NotifyMode | 'never';
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/**
 * Whoever looks at a part of a license cannot say that all is resolved, or that looks still happen.
 * @throws UsageError when somebody is to be told, and nobody is named, or of a part
 */
export function notifyMode(
  { notify: wanted, only, except }: TellFlags,
  { name, notify: { channels } }: Pick<TargetSettings, 'name' | 'notify'>,
): NotifyMode | 'never' {
  const isPart = only !== undefined || except !== undefined;
  if (wanted === undefined || wanted === 'never') return wanted ?? (isPart ? 'never' : 'on-change');
  if (isPart)
    throw new UsageError(
      `--notify ${wanted}: with --only or --except nobody is told, for that is not the whole license`,
    );
  if (channels.length === 0)
    throw new UsageError(`--notify ${wanted}: target ${name} names nobody to tell; \`drift: { notify: [...] }\` does`);
  return wanted;
}

/** `sightings` are those after the look. Resolves to whether everybody who had to be told was. */
export async function remember(
  look: Look,
  sightings: Sightings,
  { file, memory, settings, mode }: Remembering,
  terminal: Terminal,
): Promise<boolean> {
  // First what was seen, if anything was: telling may take a minute, and be interrupted.
  const isKept = look.outcome === 'failed' || (await kept(file, { sightings, told: memory.told }, terminal));
  const isSilent = mode === 'never' || settings.notify.channels.length === 0;
  const notified = isSilent ? null : await notify(look, memory.told, settings, mode, terminal);
  if (notified !== null && isKept) await kept(file, { sightings, told: notified.told }, terminal);
  if (mode !== 'never' && look.outcome === 'seen') await beatHeart(settings, terminal);
  return notified?.failed !== true;
}

async function kept(file: SightingsFile, memory: Memory, terminal: Terminal): Promise<boolean> {
  try {
    await file.keep(memory);
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const remedy = 'each look is then like the first; --sightings FILE names another file, --no-sightings none';
    showWarning(`${error.message}\n  ${remedy}`, terminal);
    return false;
  }
}

/** What was found decides; that somebody was not told only shows where all else is well, so that a broken alarm is no silent one. */
export function exitCodeOf(look: Look, isTold: boolean): ExitCode {
  if (look.outcome === 'failed') return 1;
  if (!look.report.in_sync) return 2;
  return isTold ? 0 : 1;
}
