// The library: everything the command line does can be called from here. The emulator is `chatform/emulator`.

export { type ApplyEvent, type ApplyInput, type ApplyReport, apply } from './apply/apply.ts';
export { leased } from './apply/leased.ts';
export { type Rescue, rescueBeside } from './apply/rescue.ts';
export type { SecretsSink, StoredSecret } from './apply/secrets.ts';
export { commandSink, type SecretsCommand } from './apply/sinks/command.ts';
export { envFileSink } from './apply/sinks/env-file.ts';
export { fileSink } from './apply/sinks/file.ts';
export * from './base/errors.ts';
export * from './base/model.ts';
export { judged } from './commands/judged.ts';
export { pathsInRepository } from './commands/repository.ts';
export { KIND_NAMES, KINDS } from './kinds/index.ts';
export { LIMITS, type LimitName, type Limits, limitsOf } from './kinds/limits.ts';
export type { LedgerEvent, RunOutcome } from './ledger/events.ts';
export { fileLedger } from './ledger/file.ts';
export { type Holder, LEASE_HEARTBEAT, type Lease, type LeaseRecord, leaseTtl } from './ledger/lease.ts';
export { fileLease } from './ledger/lease-file.ts';
export { type Backend, foldLedger, type Ledger } from './ledger/ledger.ts';
export { memoryLease, memoryLedger } from './ledger/memory.ts';
export { type Claim, type Taken, type Tenure, takeLease } from './ledger/tenure.ts';
export { type LoadedManifest, loadManifest, type ManifestInput } from './manifest/load.ts';
export type { Endpoint, HostLine } from './outlets/hosts/ask.ts';
export { githubEndpoint, githubHost, githubRequestOf } from './outlets/hosts/github.ts';
export { gitlabEndpoint, gitlabHost, gitlabRequestOf } from './outlets/hosts/gitlab.ts';
export type { Comment, Host } from './outlets/hosts/host.ts';
export { labelOf, labelsOf } from './outlets/hosts/labels.ts';
export { type CommentClaim, keyOf, type Published, publish } from './outlets/hosts/sticky.ts';
export { annotations, outputLines } from './outlets/hosts/workflow.ts';
export { makePlan, type PlanInput, type Planned, type PlanOptions } from './plan/assemble.ts';
export { type Comparison, compare } from './plan/compare.ts';
export type { Own } from './plan/guards/own-agent.ts';
export type * from './plan/plan.ts';
export { covers, selection } from './plan/select.ts';
export { type Staffing, staffing } from './plan/staffing.ts';
export type { DriftSettings } from './project/drift-settings.ts';
export { type LoadedProject, loadProject, type Project } from './project/project.ts';
export type { TargetSettings } from './project/settings.ts';
export type { Delay, Doubt } from './reading/doubts.ts';
export { type Ahead, type Ask, askAhead, fetchLive, type Survey, survey } from './reading/live.ts';
export { planSettled, SETTLE_WINDOW, type SettledPlan, type SettledReading } from './reading/settled.ts';
export { declaredView, type View, viewOf, wholeView } from './reading/view.ts';
export { type CommentInput, type CommentOrigin, commentMarkdown, NOWHERE } from './render/comment/comment.ts';
export {
  applyDocument,
  doctorDocument,
  planDocument,
  readingDocument as coverageDocument,
} from './render/documents.ts';
export { coloured, type Paint, uncoloured } from './render/paint.ts';
export { coverageSvg } from './render/reports/coverage-svg.ts';
export { asNamed, findingsOf, type PathInRepository, type PlanFinding } from './render/reports/findings.ts';
export {
  driftRenderers as renderers,
  type PlanReport,
  planRenderers,
  type ReportContext,
  type ReportFormat,
} from './render/reports/formats.ts';
export { progressLines, reportText } from './render/text/apply.ts';
export { coverageText } from './render/text/coverage.ts';
export { renderDiagnostics } from './render/text/diagnostics.ts';
export { doctorText } from './render/text/doctor.ts';
export { driftText } from './render/text/drift.ts';
export { planText } from './render/text/plan.ts';
export { type Client, type ClientSettings, createClient, readsOnly } from './service/client.ts';
export type { Credential } from './service/credential.ts';
export type { Exchange } from './service/exchange.ts';
export { createAgent, createHttpExchange } from './service/http.ts';
export { createInProcessExchange } from './service/in-process.ts';
export { type Patience, patient } from './service/patience/retry.ts';
export { declaredPlaces } from './staff/placed.ts';
export { type Placed, type Staff, staffOf } from './staff/staff.ts';
export { dayOf, type Week, weekAt, weekOf } from './staff/week.ts';
export { missingStrips } from './tasks/coverage/grid.ts';
export { type CoverageReport, coverageReport } from './tasks/coverage/report.ts';
export { type Diagnosis, diagnose } from './tasks/doctor/diagnose.ts';
export type { Finding } from './tasks/doctor/finding.ts';
export type { Observed } from './tasks/doctor/observed.ts';
export { reportOf } from './tasks/drift/compose.ts';
export { differencesOf } from './tasks/drift/differences.ts';
export { type Judged, judge } from './tasks/drift/judge.ts';
export type { Difference, DriftItem, DriftReport, Look } from './tasks/drift/report.ts';
export { type Sightings, sighted } from './tasks/drift/sightings.ts';
export { type Draft, type DraftInput, draftImport } from './tasks/import/draft.ts';
export { callsAfter, seedOf } from './tasks/rehearse/seed.ts';
export { type ChangeState, effectOf, type PlanResult, reviewed as plannedOutcome } from './tasks/review/plan-result.ts';
export { type Effect, effectsOf } from './tasks/saved/effects.ts';
export { type Current, type Mismatch, mismatchOf } from './tasks/saved/match.ts';
export { readSavedPlan } from './tasks/saved/read.ts';
export { manifestDigest, readDigests, type SavedPlan, savedText, serviceDigest } from './tasks/saved/saved-plan.ts';
