// Labels of targets, and conditions on them: NAME=VALUE. Of several conditions on one label any value is enough; those on different labels must all hold.

import { groupedBy } from '../base/grouped.ts';

export interface Labelled {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

export interface Condition {
  readonly label: string;
  readonly values: ReadonlySet<string>;
}

/** Pattern of a condition. */
export const CONDITION = '^[^=\\s]+=.*$';

/** Whether the target has one of the values of each label. */
export function labelled({ labels }: Labelled, conditions: readonly Condition[]): boolean {
  return conditions.every(({ label, values }) => values.has(labels.get(label) ?? '') && labels.has(label));
}

/** @param texts - Each in the form `NAME=VALUE`. */
export function conditionsOf(texts: readonly string[]): readonly Condition[] {
  const pairs = texts.map((text) => {
    const equals = text.indexOf('=');
    return { label: text.slice(0, equals), value: text.slice(equals + 1) };
  });
  return Array.from(
    groupedBy(pairs, ({ label }) => label),
    ([label, same]) => ({
      label,
      values: new Set(same.map(({ value }) => value)),
    }),
  );
}
