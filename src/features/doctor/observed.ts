// What was seen of a target, as data.

import type { ApiFailure } from '../../base/errors.ts';
import type { Address, Diagnostic, KindName, Version } from '../../base/model.ts';
import type { LicenseAction } from '../../kinds/actions.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Api } from '../../service/api.ts';
import type { ExchangeFailure } from '../../service/exchange.ts';
import type { VersionStage } from '../../service/sender.ts';
import type { MissingNeeds } from '../test/customer/needs.ts';

/** The target, as it is configured. */
export interface TargetSeen {
  readonly target: string;
  /** An URL, or `emulator:FILE`. */
  readonly baseUrl: string;
  readonly version: Version;
  readonly tokenEnv: string;
  readonly credential: 'bearer' | 'basic';
}

/** What the files say. */
export interface FilesSeen {
  /** Of chatform.yaml and the manifest. */
  readonly diagnostics: readonly Diagnostic[];
  /** Declared resources by kind; null when the manifest cannot be used. */
  readonly declared: ReadonlyMap<KindName, number> | null;
}

export interface LedgerSeen {
  readonly path: string;
  readonly exists: boolean;
  readonly owned: number;
  /** When the last apply that did all of it ended, RFC 3339; null when none did. */
  readonly applied: string | null;
  /** Why it cannot be read, or written; null when it can. */
  readonly unreadable: string | null;
  readonly unwritable: string | null;
}

export interface SinkSeen {
  readonly type: 'file' | 'env-file' | 'command';
  /** The path of a file; the program of a command. */
  readonly name: string;
  /** Why it cannot be used; null when it can. */
  readonly refusal: string | null;
  /** Mode of the file, as in `0o600`; null when there is none yet, and for a command. */
  readonly rights: number | null;
  /** Files with secrets that an earlier run could not keep there. */
  readonly waiting: readonly string[];
}

/** One request as it was sent. Times in milliseconds since the epoch, by the clock of this machine. */
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

/** The result of one question, of all its attempts together. */
export interface ActionAnswer {
  readonly action: LicenseAction;
  /** Whether planning asked it. The doctor itself asks what the license allows. */
  readonly planning: boolean;
  /** Null for a success. */
  readonly failure: ApiFailure | null;
}

/** How many objects of one kind the license allows, and has. Null: not known. Infinity: unlimited. */
export interface Allowance {
  readonly resource: string;
  readonly kind: KindName;
  readonly allowed: number;
  readonly present: number | null;
}

/** An object that all licenses of its owner client share, such as a webhook. */
export interface SharedSeen {
  readonly kind: KindName;
  readonly id: string;
  /** What it tells, and where. */
  readonly name: string;
  readonly client: string;
  /** Where the ledger of this target has it; null where it does not own it. */
  readonly address: Address | null;
  /** The target that writes those of the client. */
  readonly writer: string;
}

/** What was seen of the service. */
export interface ServiceSeen {
  readonly attempts: readonly Attempt[];
  readonly answers: readonly ActionAnswer[];
  /** Null when no reply came. */
  readonly stage: VersionStage | null;
  /** Why nothing could be sent with the credential; null when it could. */
  readonly noCredential: string | null;
  /** Why no connection could even be tried; null when one was. */
  readonly noConnection: string | null;
  /** Null when the license does not say. */
  readonly allowances: readonly Allowance[] | null;
  /** Those that a plan reads, and those of clients of which chatform.yaml names the writer; by client, then by name. */
  readonly shared: readonly SharedSeen[];
}

/** The result of planning. */
export type PlanSeen =
  | {
      readonly status: 'planned';
      readonly plan: Plan;
      /** About the license that the plan leaves behind: routing tests and lints. */
      readonly diagnostics: readonly Diagnostic[];
    }
  /** Recent writes do not show yet, so a plan would be wrong. */
  | { readonly status: 'unsettled'; readonly doubts: readonly string[] }
  /** The license could be read, and nothing can be planned. */
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  /** The reading contradicts itself. */
  | { readonly status: 'unreadable'; readonly message: string }
  /** Another check names what is missing. `guess`: the scopes that an empty license would need, null when unknown. */
  | { readonly status: 'prevented'; readonly because: string; readonly guess: readonly string[] | null };

/** The version of an API that no plan needs, and the stage that its answer to one question shows. */
export interface VersionSeen {
  readonly api: Pick<Api, 'name' | 'versions' | 'stable'>;
  readonly setting: 'api_version' | 'customer_api_version' | 'reports_api_version';
  readonly version: string;
  /** Why the question was not asked; null when it was. */
  readonly because: string | null;
  /** Null when no reply came. */
  readonly stage: VersionStage | null;
  /** Null for a success. */
  readonly failure: ApiFailure | null;
}

/** Whether the token of the target can read reports. `untried`: only a report, which is billed, shows it. */
export interface ReportsSeen {
  readonly status: 'ready' | 'missing' | 'untried';
  /** The scope that every report needs. */
  readonly scope: string;
  /** What is not there, and what to do; null for nothing. */
  readonly missing: string | null;
}

/** Everything that was seen; null for what could not be read. */
export interface Observed {
  readonly now: number;
  readonly subject: TargetSeen | null;
  readonly files: FilesSeen;
  readonly ledger: LedgerSeen | null;
  /** Null for a target without a sink. */
  readonly sink: SinkSeen | null;
  readonly service: ServiceSeen | null;
  readonly planned: PlanSeen;
  /** What `test --on customer` lacks; null when the target is not known. */
  readonly customers: MissingNeeds | null;
  /** Null when the target is not known. */
  readonly reports: ReportsSeen | null;
  /** Null when the target is not known. */
  readonly otherVersions: { readonly customer: VersionSeen; readonly reports: VersionSeen } | null;
}
