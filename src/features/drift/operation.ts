// `drift`: which side changed since the last apply. It remembers what it saw, and tells the channels of chatform.yaml.

import type { Operation, Outcome, Problem } from '../../many/operation.ts';
import { inOneLine } from '../../many/outputs.ts';
import { inSync } from '../../many/plans/plans.ts';
import { registerFor, requireFree } from '../../target/choice.ts';
import { declaredIn, prepare } from '../../target/prepare.ts';
import { driftFindings } from './findings.ts';
import { chosenSightings } from './notify/read-sightings.ts';
import { notifyMode, remember } from './notify/remember.ts';
import { driftChannels } from './notify/send-notifications.ts';
import type { DriftOptions } from './options.ts';
import { checkDrift } from './read-drift.ts';
import type { DriftCheck, DriftReport } from './schema.ts';
import { driftTable, driftView } from './view.ts';

export const drifting: Operation<DriftOptions, DriftReport> = {
  name: 'drift',
  changes: 'nothing',
  showsTarget: true,
  run: async (target, options, context) => {
    const { date, isSeen = false } = options;
    const prepared = await prepare({ ...target, ...(date === undefined ? {} : { date }) }, context);
    const { settings } = prepared;
    if (settings === null) throw declaredIn(prepared);
    const mode = notifyMode(options, settings, isSeen);
    // What a later day would want is no difference of today.
    const { sightings: file } = date === undefined ? options : { sightings: false };
    if (typeof file === 'string') requireFree(`--sightings ${file}`, file, await registerFor(target, context));
    const store = chosenSightings(file === undefined ? {} : { sightings: file }, settings, context);
    const recalled = await store.recall();
    let { sightings } = recalled;
    context.afterwards(async (outcome) => {
      const check = checkOf(outcome as Outcome<DriftReport>);
      const { errors, warnings } = await remember(
        check,
        sightings,
        { store, memory: recalled, settings, mode },
        context,
      );
      const isUntold = options.notify === undefined && isSeen && driftChannels(settings).length > 0;
      return [
        ...(isUntold ? [UNTOLD] : []),
        ...errors.map((message): Problem => ({ level: 'error', message })),
        ...warnings.map((message): Problem => ({ level: 'warning', message })),
      ];
    });
    const checked = await checkDrift(declaredIn(prepared), recalled, options, context);
    sightings = checked.sightings;
    return { value: checked.report, diagnostics: checked.diagnostics, requests: null };
  },
  row: (report) => {
    const { items, in_sync: isInSync, requests, summary } = report;
    return {
      ...(items.length === 0 ? inSync(report) : { state: isInSync ? 'in sync' : 'drift' }),
      code: isInSync ? 0 : 2,
      // What is only for information is none that the state is about.
      figures: { differences: summary.failing },
      requests,
      isQuiet: isInSync,
    };
  },
  view: driftView,
  findings: driftFindings,
  table: driftTable,
  formats: { prometheus: () => import('./prometheus.ts') },
};

const UNTOLD: Problem = {
  level: 'note',
  message: 'No channel was told, because this is a terminal: `--notify on-change` tells them.',
};

/** What channels are told of. */
function checkOf(outcome: Outcome<DriftReport>): DriftCheck {
  if (outcome.state === 'known') return { outcome: 'seen', report: outcome.value };
  const { target, at, message, diagnostics } = outcome;
  return { outcome: 'failed', target: target === '' ? null : target, at, message: inOneLine(message, diagnostics) };
}
