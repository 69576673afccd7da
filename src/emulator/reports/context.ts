// What reports work with: the license, who asks, and until when it is known what happened.

import type { Caller } from '../configuration/caller.ts';
import type { ActionContext } from '../engine/api.ts';
import type { ReportSettings } from './settings.ts';

export interface ReportingContext extends ActionContext {
  readonly settings: ReportSettings;
  readonly caller: Caller;
  /** The moment until which reports know what happened, in ms. */
  readonly seenAt: number;
}
