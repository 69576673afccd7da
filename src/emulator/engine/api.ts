// An API as a value. Knows no API.

import type { EmulatedLicense } from './license.ts';
import type { Ids } from './random.ts';
import type { ErrorEnvelope } from './refusal.ts';
import type { EngineSettings } from './settings.ts';

/** What an action works with. Each API narrows the version, the settings and the caller to its own. */
export interface ActionContext {
  readonly version: string;
  readonly license: EmulatedLicense;
  readonly settings: EngineSettings;
  /** What the API's `authenticate` returned. */
  readonly caller: unknown;
  readonly ids: Ids;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The moment whose state a read answers, in ms; writes look at the present, which is Infinity. */
  readonly at: number;
  /** A moment at which an object that a write refers to must exist, in addition to the present; Infinity is the present. */
  readonly refersAt: number;
  /** The error that strikes the next item of a batch before it takes effect, if any. */
  readonly failItem: () => ErrorEnvelope | undefined;
}

/** One action of an API. `run` is a method, so that the actions of several APIs can be listed whatever their contexts are. */
export interface ApiAction {
  readonly name: string;
  readonly versions: readonly string[];
  readonly methods: readonly string[];
  /** Reads lag behind writes. */
  readonly effect: 'read' | 'write';
  /** `empty`: documented with no response payload. */
  readonly reply: 'value' | 'empty';
  /** Returns the reply to a parsed body; throws a refusal before it has changed anything. */
  run(body: unknown, context: ActionContext): object;
}
