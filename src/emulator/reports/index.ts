// The Reports API. Specification: "Endpoints", "Authentication", "Versioning".

import { isObject } from '../../base/json.ts';
import { callingAgent } from '../configuration/account.ts';
import { type Caller, permit } from '../configuration/caller.ts';
import { formTable } from '../customer/forms.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { quoted, type ReaderSchema } from '../engine/shape.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import { chatReport, type ReportAction, type ReportQuery } from './action.ts';
import { agentReports } from './agent-reports.ts';
import { chatReports } from './chat-reports.ts';
import { countedChats } from './counted.ts';
import { groupsOf } from './facts.ts';
import { isAsked } from './filters.ts';
import { greetingsReport } from './greetings-report.ts';
import { queueReports } from './queue-reports.ts';
import type { ChatConditions } from './request.ts';
import { FEATURES, type ReportSettings, reportSettings, VERSIONS } from './settings.ts';
import { answerId, type FilledSurvey, surveysOf } from './surveys.ts';

function authenticate(
  request: WireRequest,
  _: ReportAction,
  license: EmulatedLicense,
  settings: ReportSettings,
): Caller {
  const caller = callingAgent(request, { anonymous: false, inactiveToo: false }, license, settings);
  if (caller.kind === 'personal' && settings.reportsAuthorization === 'bearer')
    refuse('authentication', 'an `Authorization` header with Bearer and an access token is required');
  permit(caller, 'reports_read');
  return caller;
}

/** A name and its values, in the order in which they came. */
type Parameters = ReadonlyMap<string, readonly string[]>;

/** Members below a place, by name; a text is what a parameter says. */
interface ParameterTree {
  values: readonly string[] | undefined;
  readonly members: Map<string, ParameterTree>;
}

/** No parameter of the specification has more. */
const MOST_STEPS = 8;

/** `filters.properties[a.b][c].values` has the steps filters, properties, a.b, c and values; undefined for one with other brackets. */
function stepsOf(name: string): readonly string[] | undefined {
  const steps = Array.from(name.matchAll(/(?:^|\.)([^.[\]]+)|\[([^[\]]+)\]/g));
  if (steps.length === 0 || steps.length > MOST_STEPS || steps.map(([whole]) => whole).join('') !== name)
    return undefined;
  return steps.map(([, plain, bracketed]) => plain ?? bracketed ?? '');
}

function treeOf(parameters: Parameters): ParameterTree {
  const root: ParameterTree = { values: undefined, members: new Map() };
  for (const [name, values] of parameters) {
    let place = root;
    for (const step of stepsOf(name) ?? [name]) {
      const next = place.members.get(step) ?? { values: undefined, members: new Map() };
      place.members.set(step, next);
      place = next;
    }
    place.values = [...(place.values ?? []), ...values];
  }
  return root;
}

/** A text as a value of the types of its schema; one that is none of them stays a text, which the request then refuses. */
function typed({ type, pattern }: ReaderSchema, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // Of the texts, only date-times have a pattern: the plus sign of the offset was not escaped.
  return pattern === undefined ? text : text.replace(/ (?=\d\d:\d\d$)/, '+');
}

const schemaOf = (schema: unknown): ReaderSchema => (isObject(schema) ? schema : {});

/** The value at a place. */
function valueAt(schema: ReaderSchema, { values, members }: ParameterTree, path: string): unknown {
  if (values !== undefined && members.size > 0)
    return refuse('validation', `${quoted(path)} has a value, and members also`);
  if (schema['type'] === 'array') {
    const items = schemaOf(schema['items']);
    if (values !== undefined) return values.map((text) => typed(items, text));
    return itemsOf(items, members, path);
  }
  if (values !== undefined) {
    const [text = '', ...more] = values;
    return more.length === 0 ? typed(schema, text) : refuse('validation', `${quoted(path)} is given twice`);
  }
  const { properties, additionalProperties } = schema;
  const below = Array.from(members, ([name, member]): [string, unknown] => {
    const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return [name, valueAt(schemaOf(own), member, path === '' ? name : `${path}.${name}`)];
  });
  return Object.fromEntries(below);
}

/** Objects in a list: `surveys[0].type`, in the order of their numbers; without a number it is the only one. */
function itemsOf(items: ReaderSchema, members: ParameterTree['members'], path: string): readonly unknown[] {
  const names = Array.from(members.keys());
  const isNumber = (name: string): boolean => /^\d{1,4}$/.test(name);
  if (!names.some(isNumber)) return [valueAt(items, { values: undefined, members }, path)];
  const other = names.find((name) => !isNumber(name));
  if (other !== undefined) refuse('validation', `${quoted(`${path}.${other}`)} needs the number of its item`);
  return Array.from(members)
    .toSorted(([one], [another]) => Number(one) - Number(another))
    .map(([name, member]) => valueAt(items, member, `${path}[${name}]`));
}

/** The query in the shape of a body; an empty value is absent. */
function bodyOfQuery(schema: ReaderSchema, query: URLSearchParams): unknown {
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of query) if (value !== '') parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return valueAt(schema, treeOf(parameters), '');
}

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
  { versions: FEATURES.forms, called: 'form' },
);

export const reportsApi = {
  path: 'reports',
  prefix: 'reports/',
  versions: VERSIONS,
  versionHeader: 'x-api-version',
  settings: reportSettings,
  kinds: [],
  actions: [...chatReports, greetingsReport, surveysReport, formsReport, ...queueReports, ...agentReports],
  isRegional: () => false,
  authenticate,
  read: async (request: WireRequest, settings: EngineSettings, { schema }: ReportAction) =>
    request.method === 'GET' ? bodyOfQuery(schema, queryOf(request)) : readJsonBody(request, settings),
} satisfies EmulatedApi;
