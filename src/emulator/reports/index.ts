// The Reports API, and how the query of a GET is read as the body of a POST. Specification: "Endpoints", "Authentication", "Versioning".

import { isObject } from '../../base/json.ts';
import { callingAgent } from '../configuration/account.ts';
import { type Caller, permit } from '../configuration/caller.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { quoted, type ReaderSchema } from '../engine/shape.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import type { ReportAction } from './action.ts';
import { agentReports } from './agent-reports.ts';
import { chatReports } from './chat-reports.ts';
import { formReports } from './form-reports.ts';
import { greetingsReport } from './greetings-report.ts';
import { queueReports } from './queue-reports.ts';
import { type ReportSettings, reportSettings, VERSIONS } from './settings.ts';
import { visitorKind, visitorReports } from './visitor-reports.ts';

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

export const reportsApi = {
  path: 'reports',
  prefix: 'reports/',
  versions: VERSIONS,
  versionHeader: true,
  settings: reportSettings,
  kinds: [visitorKind],
  actions: [...chatReports, greetingsReport, ...formReports, ...queueReports, ...agentReports, ...visitorReports],
  isRegional: () => false,
  authenticate,
  read: async (request: WireRequest, settings: EngineSettings, { schema }: ReportAction) =>
    request.method === 'GET' ? bodyOfQuery(schema, queryOf(request)) : readJsonBody(request, settings),
} satisfies EmulatedApi;
