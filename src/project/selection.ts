// Labels of targets in the form NAME=VALUE: which targets have them. With one name any of the values, with several all of the names.

import { UsageError } from '../base/errors.ts';
import { groupedBy } from '../base/grouped.ts';
import { nearest } from '../base/nearest.ts';
import { few } from '../base/text.ts';

export interface Labelled {
  readonly name: string;
  readonly labels: { readonly [label: string]: string };
}

interface Condition {
  readonly label: string;
  readonly values: ReadonlySet<string>;
}

/** Whether the target has one of the values of each label. */
export function labelled({ labels }: Labelled, conditions: readonly Condition[]): boolean {
  return conditions.every(({ label, values }) => Object.hasOwn(labels, label) && values.has(labels[label] ?? ''));
}

/** @throws UsageError, which begins with `flag`, for a text of another form, and for what no target has */
export function labelsIn(
  flag: string,
  texts: readonly string[],
  targets: readonly Labelled[],
): readonly Condition[] {
  const pairs = texts.map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1) throw new UsageError(`${flag} ${text}: write it as NAME=VALUE, such as ${flag} region=eu`);
    const [label, value] = [text.slice(0, equals), text.slice(equals + 1)];
    requireUsed(flag, label, value, targets);
    return { label, value };
  });
  return Array.from(groupedBy(pairs, ({ label }) => label), ([label, same]) => ({
    label,
    values: new Set(same.map(({ value }) => value)),
  }));
}

function requireUsed(flag: string, label: string, value: string, targets: readonly Labelled[]): void {
  const withLabel = targets.filter(({ labels }) => Object.hasOwn(labels, label));
  const used = (names: readonly string[], wanted: string): string => {
    const known = [...new Set(names)].sort();
    const meant = nearest(wanted, known);
    if (meant !== null) return `did you mean ${meant}?`;
    return known.length === 0 ? 'give targets `labels` in chatform.yaml' : `there are: ${few(known)}`;
  };
  if (withLabel.length === 0) {
    const labels = targets.flatMap((each) => Object.keys(each.labels));
    throw new UsageError(`${flag} ${label}=${value}: no target has the label ${label}; ${used(labels, label)}`);
  }
  const values = withLabel.map(({ labels }) => labels[label] ?? '');
  if (!values.includes(value))
    throw new UsageError(
      `${flag} ${label}=${value}: no target has this value of ${label}; ${used(values, value)}`,
    );
}
