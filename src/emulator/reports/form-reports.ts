// The reports of filled forms: `surveys` in 3.4, `forms` in later versions, which shape the same counts otherwise. Specification: "surveys";
// today/reports.md, "Replies, members, totals".

import { formTable } from '../customer/forms.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { chatReport, type ReportQuery } from './action.ts';
import { countedChats } from './counted.ts';
import { groupsOf } from './facts.ts';
import { askedBy } from './filters.ts';
import type { ChatConditions } from './request.ts';
import { FEATURES } from './settings.ts';
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

/** By group, then by survey. */
type CountedSurveys = ReadonlyMap<string, ReadonlyMap<string, SurveyCounts>>;

function countedSurveys(query: ReportQuery<ChatConditions>): CountedSurveys {
  const { context, settings, filters } = query;
  const asked = (filters.surveys ?? []).map((filter) => askedBy(filter, settings));
  const groups = new Map<string, Map<string, SurveyCounts>>();
  for (const { thread } of countedChats(query))
    for (const survey of surveysOf(context.license, thread)) {
      const { id } = survey;
      const isCounted = asked.length === 0 || asked.some((isAsked) => isAsked(survey));
      if (id === undefined || !isCounted) continue;
      for (const group of groupsOf(thread, settings)) {
        const surveys = entryOf(groups, String(group), () => new Map<string, SurveyCounts>());
        addSurvey(
          entryOf(surveys, id, () => ({ count: 0, fields: new Map() })),
          survey,
        );
      }
    }
  return groups;
}

const surveysReport = chatReport(
  'chats',
  'surveys',
  (query) => {
    const records = Array.from(countedSurveys(query), ([group, surveys]) => [
      group,
      Object.fromEntries(
        Array.from(surveys, ([id, { count, fields }]) => [
          id,
          {
            count,
            ...Object.fromEntries(Array.from(fields, ([field, counts]) => [field, Object.fromEntries(counts)])),
          },
        ]),
      ),
    ]);
    return { records: Object.fromEntries(records) };
  },
  { versions: FEATURES.surveys },
);

/** What a form calls a field, and the options of it by their ids. */
function labelsOf(license: EmulatedLicense, form: string) {
  const fields =
    formTable
      .of(license)
      .all()
      .find(({ id }) => id === form)?.fields ?? [];
  return new Map(
    fields.map(({ id, label, options = [] }) => [
      id,
      { label, options: new Map(options.map((each) => [each.id, each.label])) },
    ]),
  );
}

const formsReport = chatReport(
  'chats',
  'forms',
  (query) => {
    const { license } = query.context;
    const records = Array.from(countedSurveys(query)).flatMap(([group, surveys]) =>
      Array.from(surveys, ([form, { count, fields }]) => {
        const labels = labelsOf(license, form);
        return {
          form_id: form,
          count,
          group_id: Number(group),
          fields: Array.from(fields, ([field, counts]) => ({
            field_id: field,
            label: labels.get(field)?.label ?? '',
            answers: Array.from(counts, ([option, times]) => ({
              answer_id: Number(option),
              label: labels.get(field)?.options.get(option) ?? '',
              count: times,
            })),
          })),
        };
      }),
    );
    return { records };
  },
  { versions: FEATURES.forms, called: 'form-report' },
);

export const formReports = [surveysReport, formsReport];
