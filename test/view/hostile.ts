// Looks at licenses whose people write anything into a name, at random.

import fc from 'fast-check';
import { DRIFT_KINDS, STATUSES } from '../../src/base/difference.ts';
import { type Json, SEVERITIES } from '../../src/base/model.ts';
import type { DriftCheck, DriftItem } from '../../src/features/drift/schema.ts';
import { ITEMS, REPORT } from '../features/drift/example.ts';

const SIGNS = [
  ...'|`\\<>&\'"@#$()[]{}*_~!-:/.= \n\r\t',
  ']]>',
  '-->',
  '</pre>',
  '\u0000',
  '\u001b',
  '\ud800',
  '\u2028',
  '\ufffe',
  'a',
  'é',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('@everyone', '#12', 'GH-12', 'www.example.com', '| | |', '$(reboot)', '`id`', '{0}', '[x](1)'),
);

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.integer(),
  hostileText,
  fc.array(hostileText, { maxLength: 3 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 3 }),
);

const item: fc.Arbitrary<DriftItem> = fc
  .record({
    of: fc.constantFrom(...ITEMS),
    status: fc.constantFrom(...STATUSES),
    kind: fc.constantFrom(...DRIFT_KINDS),
    severity: fc.constantFrom(...SEVERITIES),
    address: hostileText,
    name: hostileText,
    path: fc.array(hostileText, { maxLength: 2 }),
    base: value,
    live: value,
    desired: value,
    reason: fc.option(hostileText),
    applied_at: fc.constantFrom(null, '2026-11-20T09:00:00.000Z'),
    file: hostileText,
    ignored: fc.option(fc.record({ reason: hostileText, until: fc.constantFrom(null, '2027-03-01') })),
  })
  .map(({ of, file, ...rest }) => ({ ...of, ...rest, source: { file, line: 1, column: 1 } }));

export const hostileLook: fc.Arbitrary<DriftCheck> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(hostileText, fc.array(item, { maxLength: 6 }), hostileText).map(seen) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.option(hostileText), hostileText)
      .map(([target, message]): DriftCheck => ({ outcome: 'failed', target, at: REPORT.at, message })),
  },
);

function seen([target, all, note]: readonly [string, readonly DriftItem[], string]): DriftCheck {
  const items = all.filter(({ ignored }) => ignored === null);
  const ignored = all.filter((each) => each.ignored !== null);
  const notes = [{ kind: 'ignore-idle' as const, message: note, source: null }];
  return { outcome: 'seen', report: { ...REPORT, target, items, ignored, notes } };
}
