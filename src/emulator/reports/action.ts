// How a report is declared, and what it works with. Knows no single report. Specification: "Endpoints".

import type { EmulatedAction } from '../engine/api.ts';
import { exact, type JsonReader, type ReaderSchema } from '../engine/shape.ts';
import { bucketsOf, type ReportBuckets } from './buckets.ts';
import type { ReportingContext } from './context.ts';
import { type CountedRange, rangeOf } from './range.ts';
import {
  type AgentConditions,
  agentRequest,
  type ChatConditions,
  chatRequest,
  chatTimes,
  filtersIn,
  ownTimes,
  pagedRequest,
  type ReportDistribution,
  type TagConditions,
  type TimeConditions,
  type TimePair,
  tagRequest,
  timedRequest,
} from './request.ts';
import { type EmulatedReportsVersion, has, type ReportSettings, VERSIONS } from './settings.ts';

export interface ReportAction extends EmulatedAction {
  /** What its request may have; it types the query of a GET. */
  readonly schema: ReaderSchema;
  run(body: unknown, context: Omit<ReportingContext, 'seenAt'>): object;
}

/** What a report is made from. */
export interface ReportQuery<F> {
  readonly context: ReportingContext;
  readonly settings: ReportSettings;
  readonly range: CountedRange;
  readonly buckets: ReportBuckets;
  readonly distribution: ReportDistribution;
  readonly filters: F;
  readonly page: number;
}

/** Members of a request that every report has. */
interface GivenRequest<F> {
  readonly distribution?: ReportDistribution;
  readonly timezone?: string;
  readonly page?: number;
  readonly filters?: F;
}

interface ReportFamily<Given, F> {
  readonly request: JsonReader<GivenRequest<Given>>;
  /** What the filters mean in a version. */
  readonly filtersIn: (version: string, filters: Given, settings: ReportSettings) => F;
  readonly timesOf: (filters: F | undefined) => readonly TimePair[];
  readonly none: F;
}

/** `called`: the name in the reply, where it is not that of the report with `-report` behind it. */
interface ReportDeclaration {
  readonly versions?: readonly EmulatedReportsVersion[];
  readonly called?: string;
}

/** Makes the function that declares the reports of one family. */
function declareAs<Given extends object, F extends object>({
  request,
  filtersIn,
  timesOf,
  none,
}: ReportFamily<Given, F>) {
  const strict = exact(request);
  return (
    resource: string,
    name: string,
    run: (query: ReportQuery<F>) => object,
    { versions = VERSIONS, called = `${name.replaceAll('_', '-')}-report` }: ReportDeclaration = {},
  ): ReportAction => ({
    name: `${resource}/${name}`,
    versions,
    methods: ['POST', 'GET'],
    effect: 'read',
    reply: 'value',
    schema: request.schema ?? {},
    run: (body, given) => {
      const { settings } = given;
      const context = { ...given, seenAt: given.at - settings.reportsLag * 1000 };
      const read = settings.unknownFilters === 'validation' ? strict : request;
      const { distribution = 'day', timezone, page = 1, filters: asked } = read(body, '');
      const filters = asked === undefined ? undefined : filtersIn(given.version, asked, settings);
      const range = rangeOf(context, timezone, timesOf(filters));
      const buckets = bucketsOf(range, distribution, settings);
      const reply = run({ context, settings, range, buckets, distribution, filters: filters ?? none, page });
      const { reportEcho } = settings;
      const isEchoed = reportEcho === 'always' || (reportEcho === 'preview' && has('echo', given.version));
      return { name: called, ...(isEchoed ? { request: Object(body) } : {}), ...reply };
    },
  });
}

export const chatReport = declareAs({
  request: chatRequest,
  filtersIn,
  timesOf: chatTimes,
  none: {} as ChatConditions,
});
/** A report of chats that has pages. */
export const pagedReport = declareAs({
  request: pagedRequest,
  filtersIn,
  timesOf: chatTimes,
  none: {} as ChatConditions,
});
export const agentReport = declareAs({
  request: agentRequest,
  filtersIn: (_, filters: AgentConditions) => filters,
  timesOf: ownTimes,
  none: {} as AgentConditions,
});
export const tagReport = declareAs({
  request: tagRequest,
  filtersIn: (_, filters: TagConditions): ChatConditions => filters,
  timesOf: chatTimes,
  none: {} as ChatConditions,
});
/** A report that has no filters but its time. */
export const timedReport = declareAs({
  request: timedRequest,
  filtersIn: (_, filters: TimeConditions) => filters,
  timesOf: ownTimes,
  none: {} as TimeConditions,
});
