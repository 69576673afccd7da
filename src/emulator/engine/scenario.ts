// Scenarios: which faults strike, which requests, and how often. Does not say how a fault is carried out.

import { isObject } from '../../base/json.ts';
import { oncePer } from '../../base/once-per.ts';
import { HOUR } from '../../base/zone.ts';
import { refuse, validating } from './refusal.ts';
import type { JsonReader } from './shape.ts';
import { bool, checked, closed, int, list, number, oneOf, optional, quoted, string, text } from './shape.ts';

/** Propagation takes "at most 2 minutes", in ms. Specification: "What the service does". */
export const LONGEST_DELAY = 120_000;

/** Milliseconds: always the same, or drawn for each request. */
export interface DelaySpan {
  readonly from: number;
  readonly to: number;
}

/** Written as a number, or as `{from, to}`. */
function span(most: number): JsonReader<DelaySpan> {
  const fixed = int(0, most);
  const drawn = checked(closed({ from: fixed, to: fixed }), ({ from, to }, path) => {
    if (from > to) refuse('validation', `${quoted(path)} must not end before it begins`);
  });
  return (value, path) => {
    if (isObject(value)) return drawn(value, path);
    const time = fixed(value, path);
    return { from: time, to: time };
  };
}

/** Before the request takes effect, or after: a lost reply looks the same for both. */
const when = optional(oneOf(['before', 'after']));

const type = <const T extends string>(name: T): JsonReader<T> => oneOf([name]);
const brokenChain = oneOf(['two_heads', 'cycle', 'unknown_next']);
export type BrokenChain = ReturnType<typeof brokenChain>;

/** Readers of each type of fault, for APIs of these versions. */
function faultReaders(versions: readonly string[]) {
  /** Which requests it strikes; everything is optional. */
  const trigger = {
    /** Names of actions, after the prefix of their API; `*` stands for any letters. */
    actions: optional(list(text, 1)),
    versions: optional(list(oneOf(versions), 1)),
    /** Of each request that matches, 0 to 1; default 1. */
    probability: optional(number(0, 1)),
    /** Matching requests that it does not strike at first. */
    skip: optional(int(0)),
    /** How often it strikes at most. */
    times: optional(int(0)),
  };
  return {
    /** The request, or its reply, takes its time. */
    latency: closed({ ...trigger, type: type('latency'), delay: span(HOUR), when }),
    /** The connection ends without a reply. */
    reset: closed({ ...trigger, type: type('reset'), when }),
    /** The reply arrives slowly. */
    slow_body: closed({ ...trigger, type: type('slow_body'), bytes_per_second: int(1) }),
    /** Each item of a batch takes its time, one after the other; any other request is one item. */
    slow_items: closed({ ...trigger, type: type('slow_items'), delay: span(HOUR) }),
    /** An error instead of the reply; without `envelope` it is a gateway's page. `retry_after` is in seconds. */
    error: closed({
      ...trigger,
      type: type('error'),
      error: text,
      message: optional(string),
      /** Of `misdirected_request`: the region that it names. */
      region: optional(text),
      status: optional(int(400, 599)),
      envelope: optional(bool),
      retry_after: optional(int(0)),
      retry_after_as: optional(oneOf(['seconds', 'date'])),
      when,
    }),
    /** An item of a batch fails, and does not take effect. The trigger is checked for each item. */
    slot: closed({ ...trigger, type: type('slot'), error: text, message: optional(string) }),
    /** A read shows what was true some time ago. */
    stale: closed({ ...trigger, type: type('stale'), lag: span(LONGEST_DELAY) }),
    /** A list comes in another order. */
    shuffle: closed({ ...trigger, type: type('shuffle') }),
    /** The list of rules contradicts itself. */
    broken_chain: closed({ ...trigger, type: type('broken_chain'), as: brokenChain }),
    /** The header `Date` is off by this many milliseconds, ahead or (negative) behind. */
    clock_skew: closed({ ...trigger, type: type('clock_skew'), by: int(-24 * HOUR, 24 * HOUR) }),
  };
}

type FaultReaders = ReturnType<typeof faultReaders>;
type FaultType = keyof FaultReaders;
export type Fault = { [T in FaultType]: ReturnType<FaultReaders[T]> }[FaultType];

/** `seed` (default 0) fixes everything that is drawn. Every fault that a request triggers strikes it; of errors and resets the first. */
export interface Scenario {
  readonly seed?: number;
  readonly faults: readonly Fault[];
}

/** Milliseconds by which its faults can make a read lag. */
export function longestLag({ faults }: Scenario): number {
  return Math.max(0, ...faults.map((fault) => (fault.type === 'stale' ? fault.lag.to : 0)));
}

/** Checks parsed JSON, for APIs of these versions; throws an Error that names the member which is wrong. */
export function readScenario(versions: readonly string[], json: unknown): Scenario {
  return validating('a valid scenario', () => scenarioReader(versions)(json, ''));
}

const scenarioReader = oncePer((versions: readonly string[]): JsonReader<Scenario> => {
  const readers = faultReaders(versions);
  const faultType = oneOf(Object.keys(readers) as FaultType[]);
  const fault: JsonReader<Fault> = (value, path) =>
    readers[faultType(isObject(value) ? value['type'] : undefined, `${path}.type`)](value, path);
  return closed({ seed: optional(int(0)), faults: list(fault) });
});
