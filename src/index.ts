// The library: everything the command line does can be called from here. The emulator is `chatform/emulator`.

export { type ApplyEvent, type ApplyInput, type ApplyReport, apply } from './apply/apply.ts';
export { type Patience, patient } from './apply/retry.ts';
export { fileSink, type SecretsSink } from './apply/secrets.ts';
export * from './errors.ts';
export { KIND_NAMES, KINDS } from './kinds/index.ts';
export type { LedgerEvent, RunOutcome } from './ledger/events.ts';
export { fileLedger } from './ledger/file.ts';
export { foldLedger, type Ledger } from './ledger/ledger.ts';
export { memoryLedger } from './ledger/memory.ts';
export { type Ask, fetchLive, type View, viewOf } from './live.ts';
export { type LoadedManifest, loadManifest, type ManifestInput } from './manifest/load.ts';
export * from './model.ts';
export { makePlan, type PlanInput, type Planned, type PlanOptions } from './plan/assemble.ts';
export type * from './plan/plan.ts';
export { covers, selection } from './plan/select.ts';
export { type LoadedProject, loadProject, type Project } from './project/project.ts';
export type { TargetSettings } from './project/settings.ts';
export { progressLines, reportText } from './render/apply-text.ts';
export { renderDiagnostics } from './render/diagnostics.ts';
export { applyDocument, planDocument } from './render/documents.ts';
export { coloured, type Paint, uncoloured } from './render/paint.ts';
export { planText } from './render/plan-text.ts';
export { type Client, type ClientSettings, createClient, readsOnly } from './service/client.ts';
export type { Credential } from './service/credential.ts';
export type { Exchange } from './service/exchange.ts';
export { createAgent, createHttpExchange } from './service/http.ts';
export { createInProcessExchange } from './service/in-process.ts';
