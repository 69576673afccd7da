// The report formats of a run over several targets.

import { type FleetReading, fleetPage } from '../html/fleet.ts';

/** `document`: what `--json` prints. */
export const fleetRenderers = {
  html: (reading: FleetReading) => fleetPage(reading),
  json: (_: FleetReading, document: () => string) => document(),
} as const;

export const FLEET_REPORTS = Object.keys(fleetRenderers) as readonly (keyof typeof fleetRenderers)[];
