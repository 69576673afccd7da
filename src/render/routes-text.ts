// What became of routing tests in; a line for each, and how many there were, out. Decides nothing.

import type { Tested, TestedRoute } from '../tasks/show/tested.ts';
import type { Paint, Tone } from './paint.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

const TONES = { passed: 'add', failed: 'error', open: 'warning' } as const satisfies {
  readonly [outcome in TestedRoute['outcome']]: Tone;
};

/** Groups as people list them. */
export function groupsText(groups: readonly string[]): string {
  return groups.length === 0 ? 'no rule' : groups.map(plain).join(', ');
}

function became({ outcome, got, expected, expected_rule: rule, decided_by: by, depends_on: on }: TestedRoute): string {
  const reached = `${groupsText(got)}${by === null ? '' : ` by ${plain(by)}`}`;
  switch (outcome) {
    case 'passed':
      return reached;
    case 'failed':
      return `${reached}; expected ${groupsText(expected)}${rule === null ? '' : ` by ${plain(rule)}`}`;
    case 'open':
      return `depends on what ${plain(on ?? '')} leaves to the license`;
  }
}

export function testedText({ tests, summary, on, target }: Tested, paint: Paint): string {
  if (tests.length === 0) return 'The manifest has no routing tests: `routes:` makes some.\n';
  const rows = tests.map((test) => [
    test.outcome,
    `${test.source.file}:${test.source.line}`,
    plain(test.name ?? test.visitor),
    became(test),
  ]);
  const lines = table(rows).map((line, index) => {
    const { outcome } = tests[index] ?? { outcome: 'open' };
    return paint(TONES[outcome], line.slice(0, outcome.length)) + line.slice(outcome.length);
  });
  const counts = [
    `${summary.passed} passed`,
    `${summary.failed} failed`,
    ...(summary.open > 0 ? [`${summary.open} open`] : []),
  ];
  const rules = on === 'live' ? 'the rules of the license' : 'the rules of the files';
  return [...lines, '', `${counts.join(', ')}, on ${rules}, target ${plain(target)}.`, ''].join('\n');
}
