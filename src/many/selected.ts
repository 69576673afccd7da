// Choice of several targets of chatform.yaml: by name, by label, or all. A choice that takes no target is an error: it is probably a mistake.

import { UsageError } from '../base/errors.ts';
import { globPattern } from '../base/glob.ts';
import { nearest } from '../base/nearest.ts';
import { few } from '../base/text.ts';
import { CONDITION, conditionsOf, type Labelled, labelled } from '../project/selection.ts';

/** Targets at a time, where no wave and no flag says otherwise. */
export const USUAL_PARALLEL = 16;

/** Which targets a command is about. All that is given must be true of a target. */
export interface Selector {
  readonly all?: boolean;
  /** Names, in which `*` stands for any text: any of them. */
  readonly target?: readonly string[];
  /** `NAME=VALUE`: with one name, any of the values; with several, all of the names. */
  readonly label?: readonly string[];
}

/** The targets that are meant, in their order. @throws UsageError for a name, pattern or label that no target has */
export function selected<Target extends Labelled>(targets: readonly Target[], selector: Selector): readonly Target[] {
  const { all = false, target = [], label = [] } = selector;
  if (all && target.length > 0) throw new UsageError('--all takes every target, so it does not go with -t');
  const names = targets.map(({ name }) => name);
  const patterns = target.map((text) => patternOf(text, names));
  for (const text of label) requireUsed(text, targets);
  const conditions = conditionsOf(label);
  const found = targets.filter(
    (each) =>
      (patterns.length === 0 || patterns.some((pattern) => pattern.test(each.name))) && labelled(each, conditions),
  );
  if (found.length > 0) return found;
  throw new UsageError(`no target has all of ${[...target, ...label].join(', ')}; there are: ${few(names)}`);
}

function patternOf(text: string, names: readonly string[]): RegExp {
  const pattern = globPattern(text);
  if (names.some((name) => pattern.test(name))) return pattern;
  const hint = text.includes('*') ? `there are: ${few(names)}` : meant(text, new Set(names));
  throw new UsageError(`no target is called ${text}; ${hint}`);
}

/** @throws UsageError for a text of another form, and for what no target has */
function requireUsed(text: string, targets: readonly Labelled[]): void {
  if (!new RegExp(CONDITION, 'u').test(text))
    throw new UsageError(`-l ${text}: write it as NAME=VALUE, such as -l region=eu`);
  const equals = text.indexOf('=');
  const [label, value] = [text.slice(0, equals), text.slice(equals + 1)];
  const withLabel = targets.filter(({ labels }) => labels.has(label));
  if (withLabel.length === 0) {
    const known = new Set(targets.flatMap(({ labels }) => [...labels.keys()]));
    throw new UsageError(`-l ${text}: no target has the label ${label}; ${meant(label, known)}`);
  }
  const values = new Set(withLabel.map(({ labels }) => labels.get(label) ?? ''));
  if (!values.has(value))
    throw new UsageError(`-l ${text}: no target has this value of ${label}; ${meant(value, values)}`);
}

function meant(name: string, known: ReadonlySet<string>): string {
  const near = nearest(name, [...known]);
  if (near !== null) return `did you mean ${near}?`;
  return known.size === 0 ? 'give targets `labels` in chatform.yaml' : `there are: ${few([...known].sort())}`;
}
