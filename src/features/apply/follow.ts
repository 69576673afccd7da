// `chatform apply --report-after`: a person reads the result of the apply, and then how the chats changed.

import { type OutputFlags, shown } from '../../command/operate.ts';
import { type Result, showText } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { messageOf } from '../../many/failure.ts';
import type { Outcome } from '../../many/operation.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { chatsMember, type DocumentMembers } from '../../view/documents.ts';
import type { FollowAhead } from '../report/since/read-follow.ts';
import type { AppliedTarget } from './report.ts';

/** What an apply that is followed tells. */
interface Follow {
  /** `chats` of the document, once it is known. */
  readonly members: () => DocumentMembers;
  readonly ended: (outcome: Outcome<AppliedTarget>) => void;
}

interface Following {
  readonly settings: TargetSettings | null;
  readonly flags: OutputFlags & { readonly reportAfter?: string };
}

/**
 * The result of the apply; where all of it was done, and --report-after was given, that of following it.
 * @throws before anything is changed: UsageError for what is no number of hours or without a token, ApiError where it may not read reports
 */
export async function followedBy(
  { settings, flags }: Following,
  terminal: Terminal,
  apply: (follow: Follow) => Promise<Result>,
): Promise<Result> {
  let member: DocumentMembers = {};
  let isDone = false;
  const follow: Follow = {
    members: () => member,
    ended: (outcome) => {
      if (outcome.state !== 'known') return;
      const { plan, end } = outcome.value;
      isDone = end.type === 'ended' && end.report.outcome === 'done' && plan.steps.length > 0;
    },
  };
  if (flags.reportAfter === undefined || settings === null) return apply(follow);
  const [{ following }, { followApply, hoursMeant, requireReports }] = await Promise.all([
    import('../report/since/operation.ts'),
    import('../report/since/read-follow.ts'),
  ]);
  const hours = hoursMeant('--report-after', flags.reportAfter);
  const ahead: FollowAhead = { hours, settings, asked: await requireReports(settings, terminal) };
  const { text, ...result } = await apply(follow);
  if (!isDone) return { ...result, text };
  if (flags.json !== true) showText(text?.(terminal.paintOut) ?? '', terminal);
  const followed = await followApply(ahead, terminal).catch((failure: unknown) => ({ failure }));
  if ('failure' in followed) {
    const message = `the chats were not compared: ${messageOf(followed.failure)}`;
    member = { chats: { errored: true, message } };
    return { ...result, code: terminal.signal.aborted ? 130 : 1, error: message, text: null };
  }
  const { report, requests } = followed;
  member = { chats: chatsMember(report, requests) };
  const about = { target: report.target, at: report.run.at, diagnostics: [], requests };
  const asked = { run: null, groups: [], hours };
  const view = following.view(report, about, asked);
  return {
    ...result,
    code: following.row(report, about, asked).code || result.code,
    text: (paint) => `${flags.quiet === true ? '' : '\n'}${shown(view, { quiet: flags.quiet }, paint)}`,
  };
}
