// What an action is: a name, the versions that have it, and what it does to a license. Must not know any single action.
// Specification: "Endpoints".

import type { EmulatedLicense } from '../engine/license.ts';
import type { Ids } from '../engine/random.ts';
import type { ErrorEnvelope } from '../engine/refusal.ts';
import type { Caller } from './caller.ts';
import type { ConfigurationSettings } from './settings.ts';
import type { ConfigurationVersion } from './version.ts';

/** All that an action may look at. */
export interface Context {
  readonly version: ConfigurationVersion;
  readonly license: EmulatedLicense;
  readonly settings: ConfigurationSettings;
  readonly caller: Caller;
  readonly ids: Ids;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The moment whose state a read answers, in ms; writes look at the present, which is Infinity. */
  readonly at: number;
  /** The moment in which whatever a write refers to must already exist, besides now: Infinity where that is the same. */
  readonly refersAt: number;
  /** Asked for each item of a batch: why it fails before it takes effect, if it does. */
  readonly failItem: () => ErrorEnvelope | undefined;
}

/** Takes a request's body and gives the reply; throws a refusal before it has changed anything. */
export type Run = (body: unknown, context: Context) => object;

export interface Action {
  readonly name: string;
  readonly versions: readonly ConfigurationVersion[];
  /** Reads lag behind writes. */
  readonly effect: 'read' | 'write';
  /** `empty`: documented with no response payload. */
  readonly reply: 'value' | 'empty';
  /** Whether `batch_<name>s` exists (3.6). */
  readonly batchable: boolean;
  /** Whether a GET with a query is answered as well. */
  readonly getToo: boolean;
  /** Whether it is answered without a credential. */
  readonly anonymous: boolean;
  /** Whether it is open to suspended agents and to those who wait for approval, whatever the settings say. */
  readonly inactiveToo: boolean;
  readonly run: Run;
}

type Traits = Partial<Pick<Action, 'batchable' | 'getToo' | 'anonymous' | 'inactiveToo' | 'reply'>>;

const PLAIN = { reply: 'value', batchable: false, getToo: false, anonymous: false, inactiveToo: false } as const;

export function reads(name: string, versions: readonly ConfigurationVersion[], run: Run, traits: Traits = {}): Action {
  return { ...PLAIN, name, versions, effect: 'read', run, ...traits };
}

/** A write that answers something: an id, a secret. */
export function writes(name: string, versions: readonly ConfigurationVersion[], run: Run, traits: Traits = {}): Action {
  return { ...PLAIN, name, versions, effect: 'write', run, ...traits };
}

/** A write without response payload. */
export function changes(
  name: string,
  versions: readonly ConfigurationVersion[],
  run: (body: unknown, context: Context) => void,
  traits: Traits = {},
): Action {
  return writes(
    name,
    versions,
    (body, context) => {
      run(body, context);
      return {};
    },
    { reply: 'empty', ...traits },
  );
}
