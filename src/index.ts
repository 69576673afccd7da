// The library: a small door. What is behind it is `chatform/parts`, the emulator is `chatform/emulator`.

export type { ApplyEvent } from './apply/input.ts';
export { ApiError, LockedError, UsageError } from './base/errors.ts';
export type { Diagnostic } from './base/model.ts';
export type { EndedApply } from './features/apply/report.ts';
export type { DriftReport } from './features/drift/schema.ts';
export type { CustomerView } from './features/test/customer/schema.ts';
export { type OpenProject, openProject } from './library/open.ts';
export type { AppliedPlan, OpenTarget, RunOptions, TargetPlan } from './library/open-target.ts';
export type { AppliedTargets, OpenTargets, TargetResult } from './library/open-targets.ts';
export type { Selector } from './many/selected.ts';
export type { Plan } from './plan/plan.ts';
export type { SavedPlan } from './plan/saved/saved-plan.ts';
export type { RunContext, RunNotice } from './target/context.ts';
