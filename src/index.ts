// The library: a small door. What is behind it is `chatform/parts`, the emulator is `chatform/emulator`.

export type { ApplyReport } from './apply/apply.ts';
export type { ApplyEvent } from './apply/input.ts';
export { ApiError, UsageError } from './base/errors.ts';
export type { Diagnostic } from './base/model.ts';
export type { Plan } from './plan/plan.ts';
export {
  type AppliedPlan,
  type OpenProject,
  type OpenTarget,
  openProject,
  type RunOptions,
  type TargetPlan,
} from './run/open.ts';
export type { RunNotice, Surroundings } from './run/surroundings.ts';
export type { DriftReport } from './tasks/drift/report.ts';
export type { SavedPlan } from './tasks/saved/saved-plan.ts';
export type { CustomerView } from './tasks/verify/schema.ts';
