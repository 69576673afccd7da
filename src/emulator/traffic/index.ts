// Traffic as a kind of the license: the control that plays visitors, and what of it the license remembers.

import { isObject } from '../../base/json.ts';
import { control } from '../chats/controls.ts';
import { moment } from '../chats/records.ts';
import { greetingNamed } from '../customer/greetings.ts';
import { defineFact, type EmulatedKind, type EmulatedLicense } from '../engine/license.ts';
import { refuse, validating } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { sameTraffic, type Traffic, type TrafficPeriod, traffic } from './description.ts';
import { type PlayStart, play, trafficReply } from './play.ts';

export type { Traffic, TrafficPeriod } from './description.ts';
export type { TrafficMistake } from './mistakes.ts';
export { mistakesIn } from './mistakes.ts';
export type { TrafficReply } from './play.ts';

/** JSON Schema of a description of traffic. */
export const TRAFFIC_SCHEMA = traffic.schema ?? {};

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseTraffic = (json: unknown): Traffic => validating('valid traffic', () => traffic(json, ''));

/** What was played last, so that a later play goes on with it. */
const played = defineFact(
  'traffic',
  s.optional(s.object({ description: traffic, until: moment, customers: s.recordOf(s.int(0)) })),
  undefined,
);

/** A description, or another period of the one that was played last. */
const request: s.JsonReader<Traffic | TrafficPeriod> = (value, path) =>
  isObject(value) && Object.hasOwn(value, 'visitors') ? traffic(value, path) : sameTraffic(value, path);

/** What a request plays; other streams, or those of the last play at another time. */
function wanted(given: Traffic | TrafficPeriod, license: EmulatedLicense): Traffic {
  if ('visitors' in given) return given;
  const last = played.of(license).value?.description;
  if (last === undefined) return refuse('validation', `${s.quoted('visitors')} is required: no traffic was played yet`);
  const { days: _, from: __, to: ___, ...rest } = last;
  return { ...rest, ...given };
}

function requireGreetings({ visitors }: Traffic, license: EmulatedLicense): void {
  for (const [name, { greeting }] of Object.entries(visitors))
    if (greeting !== undefined && greetingNamed(license, greeting.id) === undefined)
      refuse(
        'validation',
        `${s.quoted(`visitors.${name}.greeting.id`)} names greeting ${greeting.id}, which does not exist`,
      );
}

const controls = [
  control('traffic', request, (given, context: PlayStart) => {
    const { license } = context;
    const fact = played.of(license);
    const description = wanted(given, license);
    requireGreetings(description, license);
    const result = play(description, context, fact.value ?? { until: 0, customers: {} });
    const { until, customers } = result;
    fact.value = { description, until, customers };
    return trafficReply(result);
  }),
];

export const trafficKind = { tables: [], facts: [played], controls } satisfies EmulatedKind;
