// A check of `drift`. A check that fails is a result, not an error.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { type NotifyChoice, notifyMode, type Remembering } from '../outlets/notify/remember.ts';
import { chosenSightings, type SightingsChoice } from '../outlets/notify/sightings-file.ts';
import type { TargetSettings } from '../project/settings.ts';
import { checkDrift, type DriftOptions } from '../run/drift.ts';
import { prepare } from '../run/prepare.ts';
import type { DriftCheck } from '../tasks/drift/report.ts';
import type { Sightings } from '../tasks/drift/sightings.ts';
import { diagnosticsOf, messageOf } from './failure.ts';
import type { Terminal } from './terminal.ts';

export interface FinishedCheck {
  readonly look: DriftCheck;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the check is remembered; null when it failed before that was known. */
  readonly memory: Remembering | null;
  /** What is remembered after the check. */
  readonly sightings: Sightings;
}

export async function checkFiles(
  options: DriftOptions & NotifyChoice & SightingsChoice,
  terminal: Terminal,
): Promise<FinishedCheck> {
  let settings: TargetSettings | null = null;
  let memory: Remembering | null = null;
  try {
    const prepared = await prepare(options, terminal);
    settings = prepared.settings;
    if (prepared.settings === null) throw new UsageError('the files have errors', prepared.diagnostics);
    const mode = notifyMode(options, prepared.settings);
    const file = chosenSightings(options, prepared.settings);
    const recalled = await file.recall();
    memory = { file, memory: recalled, settings: prepared.settings, mode };
    if (prepared.desired === null) throw new UsageError('the files have errors', prepared.diagnostics);
    const declared = { ...prepared, desired: prepared.desired };
    const { report, sightings, diagnostics } = await checkDrift(declared, recalled, options, terminal);
    return { look: { outcome: 'seen', report }, diagnostics, memory, sightings };
  } catch (error) {
    const diagnostics = diagnosticsOf(error);
    const look: DriftCheck = {
      outcome: 'failed',
      target: settings?.name ?? options.target ?? null,
      at: new Date(terminal.clock.now()).toISOString(),
      message: inOneLine(messageOf(error), diagnostics),
    };
    return { look, diagnostics, memory, sightings: memory?.memory.sightings ?? new Map() };
  }
}

/** The message with the first finding, for readers of a report or a chat, who do not see stderr. */
function inOneLine(message: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const where = first === undefined ? '' : `: ${first.place.file}:${first.place.line}, ${first.code}`;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return `${message.replaceAll(/\s*\n\s*/g, '; ')}${where}${more}`;
}
