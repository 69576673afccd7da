// The outputs of a drift check, from the check itself: as `chatform drift` writes them.

import { textOf } from '../../../src/base/pieces.ts';
import { drifting } from '../../../src/features/drift/operation.ts';
import type { DriftCheck, DriftReport } from '../../../src/features/drift/schema.ts';
import type { Format } from '../../../src/many/formats.ts';
import type { Outcome } from '../../../src/many/operation.ts';
import { type Asked, outputsOf, viewOf } from '../../../src/many/outputs.ts';
import type { View } from '../../../src/view/blocks.ts';
import type { PathInRepository } from '../../../src/view/findings.ts';
import { writersOf } from '../../many/writers.ts';
import { asNamed } from '../plan/outputs.ts';

type DriftFormat = Format | 'prometheus';

const ASKED: Asked<object, DriftReport> = { operation: drifting, options: {} };

function outcomeOf(look: DriftCheck): Outcome<DriftReport> {
  const about = { operation: 'drift', seconds: 0, diagnostics: [], requests: null, problems: [] };
  if (look.outcome === 'seen')
    return { ...about, target: look.report.target, at: look.report.at, state: 'known', value: look.report };
  return { ...about, target: look.target ?? '', at: look.at, state: 'failed', message: look.message };
}

export const driftRenderers = Object.fromEntries(
  [...(await writersOf(drifting))].map(([format, { write }]) => [
    format,
    (look: DriftCheck, pathOf: PathInRepository = asNamed): string =>
      textOf(write(outputsOf(ASKED, outcomeOf(look)), pathOf)),
  ]),
) as { readonly [format in DriftFormat]: (look: DriftCheck, pathOf?: PathInRepository) => string };

export function driftView(look: DriftCheck): View {
  return viewOf(ASKED, outcomeOf(look));
}
