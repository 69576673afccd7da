// How a report is declared, and what it works with. Knows no single report. Specification: "Endpoints".

import type { EmulatedAction } from '../engine/api.ts';
import { exact, type JsonReader, type ReaderSchema } from '../engine/shape.ts';
import { bucketsOf, type ReportBuckets } from './buckets.ts';
import type { ReportingContext } from './context.ts';
import { type CountedRange, rangeOf } from './range.ts';
import {
  type AgentConditions,
  agentRequest,
  agentTimes,
  type ChatConditions,
  chatRequest,
  chatTimes,
  type ReportDistribution,
  type TimePair,
} from './request.ts';
import type { ReportSettings } from './settings.ts';

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
}

/** Members of a request that every report has. */
interface GivenRequest<F> {
  readonly distribution?: ReportDistribution;
  readonly timezone?: string;
  readonly filters?: F;
}

/** Makes the function that declares the reports of one family. */
function declareAs<F extends object>(
  request: JsonReader<GivenRequest<F>>,
  timesOf: (filters: F | undefined) => TimePair | undefined,
  none: F,
) {
  const strict = exact(request);
  return (resource: string, name: string, run: (query: ReportQuery<F>) => object): ReportAction => ({
    name: `${resource}/${name}`,
    versions: ['3.4'],
    methods: ['POST', 'GET'],
    effect: 'read',
    reply: 'value',
    schema: request.schema ?? {},
    run: (body, given) => {
      const { settings } = given;
      const context = { ...given, seenAt: given.at - settings.reportsLag * 1000 };
      const read = settings.unknownFilters === 'validation' ? strict : request;
      const { distribution = 'day', timezone, filters } = read(body, '');
      const range = rangeOf(context, timezone, timesOf(filters));
      const buckets = bucketsOf(range, distribution, settings);
      const reply = run({ context, settings, range, buckets, distribution, filters: filters ?? none });
      const echo = settings.reportEcho ? { request: { distribution, timezone: range.zone, ...filtersOf(body) } } : {};
      return { name: `${name.replaceAll('_', '-')}-report`, ...echo, ...reply };
    },
  });
}

/** The filters of a body, as they were sent. */
function filtersOf(body: unknown): { readonly filters?: unknown } {
  const { filters } = Object(body);
  return filters === undefined || filters === null ? {} : { filters };
}

export const chatReport = declareAs<ChatConditions>(chatRequest, chatTimes, {});
export const agentReport = declareAs<AgentConditions>(agentRequest, agentTimes, {});
