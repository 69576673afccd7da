// What was seen of a target, as data: the nouns that findings are made from. Must not know how it was seen, or what it means.

import type { ApiFailure } from '../../base/errors.ts';
import type { Diagnostic, KindName, Version } from '../../base/model.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ActionName } from '../../service/configuration.ts';
import type { ExchangeFailure } from '../../service/exchange.ts';
import type { LifecycleNotice } from '../../service/sender.ts';

/** What is asked about, as it is configured. */
export interface Subject {
  readonly target: string;
  /** An URL, or `emulator:FILE`. */
  readonly baseUrl: string;
  readonly version: Version;
  readonly tokenEnv: string;
  readonly credential: 'bearer' | 'basic';
}

/** What the files say. */
export interface Files {
  /** Of chatform.yaml and the manifest. */
  readonly diagnostics: readonly Diagnostic[];
  /** Declared resources by kind; null when the manifest cannot be used. */
  readonly declared: ReadonlyMap<KindName, number> | null;
}

export interface LedgerSeen {
  readonly path: string;
  readonly exists: boolean;
  readonly owned: number;
  /** Why it cannot be read, or written; null when nothing speaks against it. */
  readonly unreadable: string | null;
  readonly unwritable: string | null;
}

export interface SinkSeen {
  readonly type: 'file' | 'env-file' | 'command';
  /** The path of a file; the program of a command. */
  readonly name: string;
  /** Why it cannot be used; null when nothing speaks against it. */
  readonly refusal: string | null;
  /** Mode of the file, as in `0o600`; null when there is none yet, and for a command. */
  readonly rights: number | null;
  /** Files with secrets that an earlier run could not keep there. */
  readonly waiting: readonly string[];
}

/** One request as it went over the line. Times in milliseconds since the epoch, by the clock here. */
export interface Attempt {
  /** `X-Region` as it was sent; null without one. */
  readonly region: string | null;
  readonly sent: number;
  readonly received: number;
  readonly status: number | null;
  /** The header `Date`, to the second below; null when there was none. */
  readonly date: number | null;
  readonly failure: ExchangeFailure | null;
}

/** What came of one question, all its attempts together. */
export interface Answer {
  readonly action: ActionName;
  /** Whether planning asked; the doctor itself asks what the license allows. */
  readonly planning: boolean;
  /** Null for a success. */
  readonly failure: ApiFailure | null;
}

/** What the license allows of one kind, and has; null for what is not known, Infinity for what is unlimited. */
export interface Allowance {
  readonly resource: string;
  readonly kind: KindName;
  readonly allowed: number;
  readonly present: number | null;
}

/** What the service showed. */
export interface Service {
  readonly attempts: readonly Attempt[];
  readonly answers: readonly Answer[];
  readonly notices: readonly LifecycleNotice[];
  /** Why nothing could be sent with the credential; null when it could. */
  readonly noCredential: string | null;
  /** Why no connection could even be tried; null when one was. */
  readonly noConnection: string | null;
  /** Null when the license does not say. */
  readonly allowances: readonly Allowance[] | null;
}

/** What planning came to. */
export type Planned =
  | { readonly status: 'planned'; readonly plan: Plan }
  /** What was written a moment ago does not show yet: a plan would be wrong. */
  | { readonly status: 'unsettled'; readonly doubts: readonly string[] }
  /** The license could be read, and nothing can be planned. */
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  /** What was read makes no sense. */
  | { readonly status: 'unreadable'; readonly message: string }
  /** Something else is missing, which another check names; `guess` are the scopes that an empty license would take, null when unknown. */
  | { readonly status: 'prevented'; readonly because: string; readonly guess: readonly string[] | null };

/** All that was seen; what could not be looked at is null. */
export interface Observed {
  readonly now: number;
  readonly subject: Subject | null;
  readonly files: Files;
  readonly ledger: LedgerSeen | null;
  /** Null for a target without a sink. */
  readonly sink: SinkSeen | null;
  readonly service: Service | null;
  readonly planned: Planned;
}
