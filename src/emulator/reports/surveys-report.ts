// The report of surveys: how often each was filled, and each option chosen. Specification: "surveys".

import { chatReport } from './action.ts';
import { countedChats } from './counted.ts';
import { groupsOf } from './facts.ts';
import { isAsked } from './filters.ts';
import { answerId, type FilledSurvey, surveysOf } from './surveys.ts';

/** Name -> number of times. */
type Counts = Map<string, number>;

const countUp = (counts: Counts, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

function entryOf<K, V>(map: Map<K, V>, key: K, fresh: () => V): V {
  const found = map.get(key) ?? fresh();
  map.set(key, found);
  return found;
}

/** One survey in one group. */
interface SurveyCounts {
  count: number;
  /** By field, then by option. */
  readonly fields: Map<string, Counts>;
}

function addSurvey(counts: SurveyCounts, { answers }: FilledSurvey): void {
  counts.count += 1;
  // An option that a survey names twice was chosen once.
  for (const { field, option } of new Map(answers.map((one) => [answerId(one), one])).values())
    countUp(
      entryOf(counts.fields, field, () => new Map()),
      option,
    );
}

export const surveysReport = chatReport('chats', 'surveys', (query) => {
  const { context, settings, filters, range } = query;
  const asked = filters.surveys ?? [];
  const groups = new Map<string, Map<string, SurveyCounts>>();
  for (const { thread } of countedChats(query))
    for (const survey of surveysOf(context.license, thread)) {
      const { id } = survey;
      const isCounted = asked.length === 0 || asked.some((filter) => isAsked(filter, survey, range));
      if (id === undefined || !isCounted) continue;
      for (const group of groupsOf(thread, settings)) {
        const surveys = entryOf(groups, String(group), () => new Map<string, SurveyCounts>());
        addSurvey(
          entryOf(surveys, id, () => ({ count: 0, fields: new Map() })),
          survey,
        );
      }
    }
  const records = Array.from(groups, ([group, surveys]) => [
    group,
    Object.fromEntries(
      Array.from(surveys, ([id, { count, fields }]) => [
        id,
        { count, ...Object.fromEntries(Array.from(fields, ([field, counts]) => [field, Object.fromEntries(counts)])) },
      ]),
    ),
  ]);
  return { records: Object.fromEntries(records) };
});
