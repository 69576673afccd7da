// Report of a command for several targets: their answers, grouped and counted, and the findings of all of them, each once.

import { addCounts, countedBy } from '../base/grouped.ts';
import { byText } from '../base/json.ts';
import type { Diagnostic } from '../base/model.ts';
import { sorted } from '../yaml/diagnostics.ts';
import { TARGET_STATES, type TargetAnswer, type TargetsReport } from './schema.ts';

/** From the worst on: an error, in part, outdated, locked, withheld, differences. */
const FROM_WORST = [130, 1, 6, 5, 4, 3, 2];

/** The exit code for several targets: the worst of them. */
export function worstCode(codes: readonly number[]): number {
  return FROM_WORST.find((code) => codes.includes(code)) ?? 0;
}

export function summaryOf(answers: readonly TargetAnswer[], digest: string | null): TargetsReport['summary'] {
  const counts = countedBy(answers, ({ state }) => state);
  return {
    targets: answers.length,
    states: Object.fromEntries(
      TARGET_STATES.flatMap((state) => (counts.has(state) ? [[state, counts.get(state) ?? 0]] : [])),
    ),
    figures: addCounts(answers.map(({ figures }) => figures)),
    requests: answers.reduce((sum, { requests }) => sum + (requests ?? 0), 0),
    digest,
  };
}

/** Findings of several targets, by place, each once. A finding that does not concern all of them has `targets`. */
export interface TargetsFindings {
  readonly add: (target: string, diagnostics: readonly Diagnostic[]) => void;
  readonly all: (targets: number) => readonly Diagnostic[];
}

/** Keeps a finding once, however many targets have it. */
export function findings(): TargetsFindings {
  const known = new Map<string, { readonly diagnostic: Diagnostic; readonly targets: Set<string> }>();
  return {
    add: (target, diagnostics) => {
      for (const diagnostic of diagnostics) {
        const key = JSON.stringify([diagnostic.place, diagnostic.code, diagnostic.message, diagnostic.related]);
        const found = known.get(key);
        if (found === undefined) known.set(key, { diagnostic, targets: new Set([target]) });
        else found.targets.add(target);
      }
    },
    all: (count) =>
      sorted(
        Array.from(known.values(), ({ diagnostic, targets }) =>
          targets.size === count ? diagnostic : { ...diagnostic, targets: [...targets].sort() },
        ),
      ),
  };
}

/** What is shown of several targets. Only the first of those that are alike is kept. */
export interface Grouping<Shown> {
  /** The place of what is shown for this target. `key` is null for one that is like no other. */
  readonly put: (target: string, key: string | null, shown: () => Shown) => number;
  readonly groups: readonly { readonly targets: readonly string[]; readonly shown: Shown }[];
}

/** Those that stand for most targets first, then by name; and where each of them was put. */
export function inOrder<Shown>({ groups }: Grouping<Shown>) {
  const sortedGroups = groups
    .map(({ targets, shown }, place) => ({ targets: targets.toSorted(byText), shown, place }))
    .sort((a, b) => b.targets.length - a.targets.length || byText(a.targets[0] ?? '', b.targets[0] ?? ''));
  return { groups: sortedGroups, placeOf: new Map(sortedGroups.map(({ place }, index) => [place, index])) };
}

export function grouping<Shown>(): Grouping<Shown> {
  const groups: { readonly targets: string[]; readonly shown: Shown }[] = [];
  const places = new Map<string, number>();
  return {
    groups,
    put: (target, key, shown) => {
      const known = key === null ? undefined : places.get(key);
      if (known !== undefined) {
        groups[known]?.targets.push(target);
        return known;
      }
      const place = groups.push({ targets: [target], shown: shown() }) - 1;
      if (key !== null) places.set(key, place);
      return place;
    },
  };
}
