// Memory of a drift check: what it saw, which channels were notified, and the heartbeat. Its failures do not change what the check found.

import { UsageError } from '../../../base/errors.ts';
import { beatHeart } from '../../../outlets/notify/send.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import type { RunContext } from '../../../target/context.ts';
import type { DriftCheck } from '../schema.ts';
import type { Sightings } from '../sightings.ts';
import type { Memory, SightingsStore } from './read-sightings.ts';
import { driftChannels, notify } from './send-notifications.ts';
import type { NotifyMode } from './transition.ts';

export interface Remembering {
  readonly store: SightingsStore;
  /** What was remembered before the check. */
  readonly memory: Memory;
  readonly settings: Pick<TargetSettings, 'name' | 'tokenEnv' | 'notify'>;
  readonly mode: NotifyMode | 'never';
}

export interface NotifyChoice {
  readonly notify?: NotifyMode | 'never';
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly date?: string;
}

/**
 * A check of a part of a license cannot say that everything is resolved, and one for another day not how it stands, so they notify no channel. Nor does
 * a person at a terminal, who sees the result, unless the flag asks for it.
 * @throws UsageError when a channel is to be told and none is configured, or of a part, or for another day
 */
export function notifyMode(
  { notify: wanted, only, except, date }: NotifyChoice,
  settings: Pick<TargetSettings, 'name' | 'notify'>,
  isAtTerminal: boolean,
): NotifyMode | 'never' {
  const isPart = only !== undefined || except !== undefined;
  const isSilent = isPart || date !== undefined || isAtTerminal;
  if (wanted === undefined || wanted === 'never') return wanted ?? (isSilent ? 'never' : 'on-change');
  if (date !== undefined)
    throw new UsageError(
      `--notify ${wanted}: with --date no channel is told, because that is not how the license stands`,
    );
  if (isPart)
    throw new UsageError(
      `--notify ${wanted}: with --only or --except no channel is told, because that is not the whole license`,
    );
  if (driftChannels(settings).length === 0)
    throw new UsageError(`--notify ${wanted}: target ${settings.name} has no channel; add one under \`notify: [...]\``);
  return wanted;
}

/** What went wrong while a check was remembered and channels were notified. */
export interface Remembered {
  /** Each channel that could not be told. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** `sightings`: what is remembered after the check. */
export async function remember(
  check: DriftCheck,
  sightings: Sightings,
  { store, memory, settings, mode }: Remembering,
  context: RunContext,
): Promise<Remembered> {
  const warnings: string[] = [];
  const kept = async (known: Memory): Promise<boolean> => {
    const lost = await unkept(store, known);
    if (lost !== null) warnings.push(lost);
    return lost === null;
  };
  // The memory is written first: notifying may take a minute, and be interrupted.
  const isKept = check.outcome === 'failed' || (await kept({ sightings, told: memory.told }));
  const isSilent = mode === 'never' || driftChannels(settings).length === 0;
  const notified = isSilent ? null : await notify(check, memory.told, settings, mode, context);
  if (notified !== null && isKept) await kept({ sightings, told: notified.told });
  const heart =
    mode !== 'never' && check.outcome === 'seen' ? await beatHeart(settings.notify.heartbeat, context) : null;
  if (heart !== null) warnings.push(heart);
  return { errors: notified?.errors ?? [], warnings };
}

/** Why the memory could not be kept; null when it was. */
async function unkept(store: SightingsStore, memory: Memory): Promise<string | null> {
  try {
    await store.keep(memory);
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return `${error.message}\n  each check is then like the first; --sightings FILE names another file, --no-sightings none`;
  }
}
