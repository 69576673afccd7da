// Files of a target that no output of a command may replace.

import { type SightingsChoice, sightingsPath } from '../outlets/notify/sightings-file.ts';
import { EMULATOR, type TargetSettings } from '../project/settings.ts';

export function keptFiles(
  settings: Pick<TargetSettings, 'ledger' | 'baseUrl' | 'secrets' | 'overlays'>,
  choice: SightingsChoice = {},
): readonly string[] {
  const { ledger, baseUrl, secrets, overlays } = settings;
  const state = baseUrl.startsWith(EMULATOR) ? [baseUrl.slice(EMULATOR.length)] : [];
  const sink = secrets === null || secrets.type === 'command' ? [] : [secrets.path];
  return [ledger, sightingsPath(choice, settings), ...state, ...sink, ...overlays];
}
