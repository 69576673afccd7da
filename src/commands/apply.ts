// `chatform apply`: plans, shows the plan, asks, applies it and proves that it took effect. `chatform destroy` is the same without a manifest.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { counted } from '../base/text.ts';
import { FORMATS, type Format } from '../many/formats.ts';
import type { ReportFile } from '../outlets/report-files.ts';
import type { Plan } from '../plan/plan.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { DocumentMembers } from '../render/documents.ts';
import type { ApplyChoice, ApplyResult } from '../run/apply.ts';
import type { CustomersAfter } from '../run/apply-as-customer.ts';
import type { Approved } from '../run/approved.ts';
import type { TargetChoice } from '../run/choice.ts';
import type { FollowAhead } from '../run/follow.ts';
import type { FilesChoice, PreparedFiles } from '../run/prepare.ts';
import type { Paint } from '../view/paint.ts';
import { type ApplyFlags, declareApply } from './apply-flags.ts';
import type { Carrier } from './carried.ts';
import type { Events } from './events-file.ts';
import type { FlagsOfOne } from './flags.ts';
import type { Result } from './result.ts';
import { commandForTargets } from './several.ts';
import type { Terminal } from './terminal.ts';

type Flags = FlagsOfOne<ApplyFlags> & Pick<FilesChoice, 'destroys'>;

export const applyCommand = commandForTargets(
  'apply',
  declareApply,
  apply,
  async (several) => {
    const [{ applyTargets }, { planOne }] = await Promise.all([import('./apply-targets.ts'), import('./plan.ts')]);
    return applyTargets(several, { apply, plan: planOne });
  },
  async ({ resume }, file) =>
    resume !== undefined || (file !== undefined && (await import('../run/plan-folder.ts')).isFolder(file)),
);

export async function apply(flags: Flags, terminal: Terminal, file: string | undefined): Promise<Result> {
  const [
    { reportFlags, requireDistinct },
    { approvedIn, narrowedTo, savedPlanIn },
    { prepare },
    { withEvents },
    { refused },
  ] = await Promise.all([
    import('../outlets/report-files.ts'),
    import('../run/approved.ts'),
    import('../run/prepare.ts'),
    import('./events-file.ts'),
    import('./result.ts'),
  ]);
  await requireDistinct([
    [String(file), file],
    [`--events ${flags.events}`, flags.events],
    [`--secrets-file ${flags.secretsFile}`, flags.secretsFile],
    ...reportFlags(flags.report),
  ]);
  if (file === undefined && flags.approved !== undefined)
    throw new UsageError('--approved is about a saved plan: name its file, as in `chatform apply plan.json`');
  const approved = file === undefined ? null : approvedIn(file, await savedPlanIn(file, terminal));
  const choice: TargetChoice & ApplyChoice = approved === null ? flags : narrowedTo(approved, flags);
  const prepared = await prepare(choice, terminal);
  if (prepared.settings === null) return refused(prepared.diagnostics);
  const verb = choice.destroys === undefined ? 'apply' : 'destroy';
  return withEvents(verb, { settings: prepared.settings, choice }, flags.events, terminal, (events) =>
    applyFiles({ prepared, approved, choice, verb }, events, flags, terminal),
  );
}

interface ApplySubject {
  readonly prepared: PreparedFiles;
  readonly approved: Approved | null;
  readonly choice: TargetChoice & ApplyChoice;
  /** The word that confirms it. */
  readonly verb: 'apply' | 'destroy';
}

async function applyFiles(
  { prepared, approved: meant, choice, verb }: ApplySubject,
  events: Events,
  flags: Flags,
  terminal: Terminal,
): Promise<Result> {
  const [
    files,
    { applyVerified },
    { approvalIn, approvedHere },
    { misroutedByFiles },
    carried,
    { hasChanges },
    { planView },
    { targetLine },
    { savedLine },
    render,
    results,
  ] = await Promise.all([
    import('../outlets/report-files.ts'),
    import('../run/apply-as-customer.ts'),
    import('../run/origin.ts'),
    import('../run/routes.ts'),
    import('./carried.ts'),
    import('../run/apply.ts'),
    import('./plan-view.ts'),
    import('../view/terminal/layout.ts'),
    import('../render/text/saved.ts'),
    import('../render/events.ts'),
    import('./result.ts'),
  ]);
  const refused = (diagnostics: readonly Diagnostic[]): Result => {
    events.tell(() => render.diagnosticEvents(diagnostics));
    return results.refused(diagnostics);
  };
  const failed = (result: Result & { readonly error?: string }): Result => {
    events.tell(() => [render.failureEvent(result.error ?? '')]);
    return result;
  };
  const about = { approval: approvalIn(flags.approved ?? []), given: flags };
  const approved = meant === null ? null : await approvedHere(meant, prepared.settings, about, terminal);
  if (approved !== null && 'foreign' in approved) return failed(results.failed(approved.foreign, { code: 5 }));
  if (prepared.desired === null) return refused(prepared.diagnostics);
  const declared = { ...prepared, desired: prepared.desired };
  const misrouted = misroutedByFiles(declared);
  if (misrouted.length > 0) return refused(misrouted);
  const reports = await files.parseReports(flags.report ?? [], FORMATS, { choice, environment: terminal });
  const carrier = {
    command: verb,
    so: ({ target, summary }: Plan) =>
      verb === 'apply' ? `change ${target}` : `remove ${counted(summary.destroy, 'object')} of ${target}`,
    // A saved plan was agreed to before.
    yes: flags.yes === true || approved !== null,
    preview: (plan: Plan, diagnostics: readonly Diagnostic[]) => {
      const { body, ...view } = planView(plan, diagnostics, flags);
      // Who applies an approved plan again, and finds all of it done, need not read the rest of it.
      const isDone = approved !== null && !hasChanges(plan) && plan.withheld.length === 0;
      const said = approved === null ? '' : savedLine(approved.file, approved.saved);
      return {
        ...view,
        body: (paint: Paint) => (isDone ? '' : said + targetLine(declared.settings, paint) + body(paint)),
      };
    },
    events,
  } as const;
  const options = {
    ...carried.carryOptions(carrier, flags, terminal),
    assumeSettled: flags.assumeSettled === true,
    asCustomer: flags.verifyAsCustomer === true,
  };
  const ahead = flags.follow === undefined ? null : await followAhead(flags.follow, declared.settings, terminal);
  const { applied, customers } = await applyVerified(declared, approved, choice, options, terminal);
  switch (applied.outcome) {
    case 'refused':
      return refused(applied.diagnostics);
    case 'mismatch':
      events.tell(() => render.diagnosticEvents(applied.diagnostics));
      return failed(await mismatchResult(applied));
    case 'stopped':
      return carried.stoppedResult(applied.stop, applied, events, flags, terminal);
    case 'applied':
      return followedAfter(
        applied,
        ahead,
        (later) => carriedVerified(applied, { customers, reports }, carrier, { flags, terminal }, later),
        { flags, terminal },
      );
  }
}

/** @throws before anything is changed: UsageError for what is no number of hours or without a token, ApiError where it may not read reports */
async function followAhead(time: string, settings: TargetSettings, terminal: Terminal): Promise<FollowAhead> {
  const { hoursMeant, requireReports } = await import('../run/follow.ts');
  const hours = hoursMeant('--follow', time);
  return { hours, settings, asked: await requireReports(settings, terminal) };
}

type AppliedResult = Extract<ApplyResult, { readonly outcome: 'applied' }>;

/** What follows the result of an apply stands apart from it, unless it is one line. */
function below(text: string, { quiet }: Pick<Flags, 'quiet'>): string {
  return quiet === true ? text : `\n${text}`;
}

/** The result of the apply; where all of it was done, a person reads it before the chats are followed. */
async function followedAfter(
  { plan, report }: AppliedResult,
  ahead: FollowAhead | null,
  carriedWith: (later: () => DocumentMembers) => Promise<Result>,
  { flags, terminal }: { readonly flags: Flags; readonly terminal: Terminal },
): Promise<Result> {
  if (ahead === null || report.outcome !== 'done' || plan.steps.length === 0) return carriedWith(() => ({}));
  const [{ followApply }, { following }, { followMember }, { messageOf }, results, { shown }] = await Promise.all([
    import('../run/follow.ts'),
    import('../features/report/since/operation.ts'),
    import('../render/documents.ts'),
    import('../many/failure.ts'),
    import('./result.ts'),
    import('./operate.ts'),
  ]);
  let member: DocumentMembers = {};
  const { text, ...result } = await carriedWith(() => ({ follow: member }));
  if (flags.json !== true) results.showText(text?.(terminal.paintOut) ?? '', terminal);
  const followed = await followApply(ahead, terminal).catch((failure: unknown) => ({ failure }));
  if ('failure' in followed) {
    const message = `the chats were not followed: ${messageOf(followed.failure)}`;
    member = { errored: true, message };
    return { ...result, code: terminal.signal.aborted ? 130 : 1, error: message, text: null };
  }
  const { report: seen, requests } = followed;
  member = followMember(seen, requests);
  const about = { target: seen.target, at: seen.run.at, diagnostics: [], requests };
  const asked = { run: null, groups: [], hours: ahead.hours };
  const view = following.view(seen, about, asked);
  return {
    ...result,
    code: following.row(seen, about, asked).code || result.code,
    text: (paint) => below(shown(view, { quiet: flags.quiet }, paint), flags),
  };
}

/** The result of the apply, and below it what customers see. */
async function carriedVerified(
  applied: AppliedResult,
  {
    customers,
    reports,
  }: { readonly customers: CustomersAfter | null; readonly reports: readonly ReportFile<Format>[] },
  carrier: Carrier,
  { flags, terminal: { env, signal } }: { readonly flags: Flags; readonly terminal: Terminal },
  later: () => DocumentMembers,
): Promise<Result> {
  const { carriedResult } = await import('./carried.ts');
  if (customers === null) return carriedResult(applied, applied, carrier, flags, { later });
  if ('failure' in customers) {
    const { messageOf } = await import('../many/failure.ts');
    const message = `what customers see could not be verified: ${messageOf(customers.failure)}`;
    const about = { ...applied, members: { verify: { errored: true, message } } };
    const done = signal.aborted ? 130 : 1;
    return { ...carriedResult(applied, about, carrier, flags, { done, later }), error: message };
  }
  const [{ reportsWith }, { pathsInRepository }, { customerTesting: operation }, outputs, { shown }, { verifyMember }] =
    await Promise.all([
      import('../outlets/report-files.ts'),
      import('../outlets/repository.ts'),
      import('../features/test/customer/operation.ts'),
      import('../many/outputs.ts'),
      import('./operate.ts'),
      import('../render/documents.ts'),
    ]);
  const { view: value, requests } = customers;
  const { target, at } = value;
  const { diagnostics } = applied;
  const outcome = {
    operation: 'verify',
    target,
    at,
    seconds: 0,
    state: 'known',
    value,
    diagnostics,
    requests,
    problems: [],
  } as const;
  const asked = { operation, options: { predict: false, chat: null, afterApply: true } };
  const view = outputs.viewOf(asked, outcome);
  const pathOf = await pathsInRepository(env);
  const about = { ...applied, members: { verify: verifyMember(value, requests) } };
  const result = carriedResult(applied, about, carrier, flags, {
    closing: (paint) => below(shown(view, { quiet: flags.quiet }, paint), flags),
    done: value.summary.differs > 0 ? 2 : 0,
    later,
  });
  const written = outputs.writtenOf(asked, outcome);
  return { ...result, files: reportsWith(reports, (format) => outputs.writeFormat(format, written, pathOf)) };
}

async function mismatchResult({
  approved: { file, saved },
  plan,
  diagnostics,
  mismatch,
}: Extract<ApplyResult, { readonly outcome: 'mismatch' }>): Promise<Result> {
  const [{ notAppliedDocument }, { mismatchLine, mismatchText }] = await Promise.all([
    import('../render/documents.ts'),
    import('../render/text/saved.ts'),
  ]);
  const message = mismatchLine(file, mismatch);
  const { digest, created_at } = saved;
  return {
    code: 5,
    diagnostics,
    error: message,
    document: () => notAppliedDocument(plan, message, diagnostics, { approved: { digest, created_at }, mismatch }),
    text: (paint) => mismatchText(file, saved, mismatch, paint),
  };
}
