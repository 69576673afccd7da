// The view of an apply: what was done, what was not, and what to do about it.

import { hasChanges } from '../../apply/target.ts';
import { assertNever } from '../../base/errors.ts';
import { differingTexts } from '../../base/forms.ts';
import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { Requests } from '../../license/connect.ts';
import type { About } from '../../many/operation.ts';
import { requestsText } from '../../many/requests.ts';
import type { Plan, ResourceChange, Step } from '../../plan/plan.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import type { Block, Mark, Section, Text, Tone, View } from '../../view/blocks.ts';
import { time, value } from '../../view/plain.ts';
import { undoCommand } from '../../view/words/commands.ts';
import { byMessage, datedHours, hoursLine } from '../../view/words/plan.ts';
import { withheldSection } from '../plan/dangers.ts';
import { reportView } from '../plan/view.ts';
import { customerView } from '../test/customer/view.ts';
import { mismatchBlocks, mismatchLine } from './mismatch.ts';
import { type AppliedTarget, type EndedApply, type EndedStep, errorText } from './report.ts';

/** The commands that carry out a plan. */
export type ApplyCommand = 'apply' | 'destroy' | 'undo';

const ENDINGS = {
  apply: {
    title: 'Apply',
    done: 'Apply complete.',
    unsettled: 'Applied, but not settled.',
    partial: 'Applied in part.',
    failed: 'Nothing was applied.',
  },
  destroy: {
    title: 'Destroy',
    done: 'Destroy complete.',
    unsettled: 'Destroyed, but not settled.',
    partial: 'Destroyed in part.',
    failed: 'Nothing was destroyed.',
  },
  undo: {
    title: 'Undo',
    done: 'Undo complete.',
    unsettled: 'Undone, but not settled.',
    partial: 'Undone in part.',
    failed: 'Nothing was undone.',
  },
} as const;

export function applyView(command: ApplyCommand, { plan, end, customers }: AppliedTarget): View {
  const { target } = plan;
  const title: Text = [`${ENDINGS[command].title} of `, { text: target, as: 'name' }];
  const { type } = end;
  switch (type) {
    case 'unchanged':
      return { title, mark: { sign: '✓', word: 'in sync', tone: 'calm' }, result: NOTHING, about: [], body: [] };
    case 'withheld':
      return {
        title,
        mark: { sign: '!', word: 'withheld', tone: 'error' },
        result: 'Nothing was changed.',
        about: [],
        urgent: withheldSection(plan),
        body: [],
      };
    case 'mismatch': {
      const { file, created_at: madeAt, dated, mismatch } = end;
      const again: Text = [
        'Plan again and get that plan approved: ',
        { text: `chatform plan --out ${file}`, as: 'command' },
      ];
      return {
        title,
        mark: { sign: '!', word: 'outdated', tone: 'warning' },
        result: [{ text: 'Nothing was changed:', tone: 'strong' }, ` ${mismatchLine(file, mismatch)}.`],
        about: [again],
        urgent: mismatchBlocks(mismatch, { madeAt, dated }),
        body: [],
      };
    }
    case 'ended': {
      const { report, sent, run } = end;
      return {
        title,
        mark: markOf(report),
        result: resultText(command, plan, report, sent),
        about: [
          ...(sumOf(sent) === 0 ? [] : [requestsText(sent)]),
          ...(report.outcome === 'interrupted'
            ? [interruptedText(report, command, undoCommand(plan.target, run))]
            : []),
        ],
        urgent: [...endBlocks(plan, report), ...customersResult(customers)],
        body: customersSection(customers),
      };
    }
    default:
      return assertNever(type);
  }
}

/** With the plan that was carried out, which a terminal shows before. A comment has no figures of single people. */
export function applyPage(
  command: ApplyCommand,
  applied: AppliedTarget,
  { at, diagnostics }: Pick<About, 'at' | 'diagnostics'>,
  reader: 'page' | 'comment',
): View {
  const { end, plan } = applied;
  const view = applyView(command, applied);
  const { body } = reportView(reviewed(plan, diagnostics, null), { isPublic: reader === 'comment' });
  const run: readonly Text[] = end.type === 'ended' ? [['Run ', { text: end.run, as: 'code' }]] : [];
  return {
    ...view,
    about: [...view.about, ...run, ['Begun ', { text: time(at), as: 'time' }]],
    body: [...view.body, ...body],
  };
}

const NOTHING = { text: 'Nothing to do.', tone: 'strong' } as const;

const TONES: { readonly [outcome in EndedApply['outcome']]: Tone } = {
  done: 'add',
  unsettled: 'warning',
  interrupted: 'warning',
  partial: 'error',
  failed: 'error',
};

function markOf({ outcome }: EndedApply): Mark {
  return { sign: outcome === 'done' ? '✓' : '!', word: outcome === 'done' ? 'applied' : outcome, tone: TONES[outcome] };
}

function resultText(command: ApplyCommand, plan: Plan, report: EndedApply, sent: Requests): Text {
  const { outcome, verified, duration_ms: duration, results } = report;
  const { adopt } = plan.summary;
  if (!hasChanges(plan) && outcome === 'done')
    return adopt === 0
      ? nothingText(plan)
      : `Adopted ${adopt} on ${plan.target} without a request: from now on they are owned.`;
  const missed = results.filter(({ status }) => status !== 'done');
  const isUntouched = outcome === 'failed' && report.stopped_by !== 'error';
  const done = isUntouched ? '' : ` ${doneText(plan, missed)}.`;
  const unverified = outcome === 'done' && !verified ? ' Not verified.' : '';
  return [
    { text: headline(command, report), tone: TONES[outcome] },
    `${unverified}${done} ${counted(sumOf(sent), 'request')} to ${plan.target}, ${(duration / 1000).toFixed(1)} s.`,
    outcome === 'done' ? hoursText(plan) : '',
  ];
}

/** What a daily job finds in its log: for which days nothing was to be done. */
function nothingText(plan: Plan): Text {
  const hours = hoursLine(plan);
  return hours === null ? NOTHING : [NOTHING, ` ${hours}`];
}

function hoursText(plan: Plan): string {
  const made = datedHours(plan);
  return made === null ? '' : ` Hours of ${made.whose} are now ${made.days}.`;
}

function headline(command: ApplyCommand, { outcome, stopped_by: by }: EndedApply): string {
  const words = ENDINGS[command];
  switch (outcome) {
    case 'done':
    case 'unsettled':
    case 'partial':
      return words[outcome];
    case 'interrupted':
      return 'Interrupted.';
    case 'failed':
      return by === 'error' ? 'Stopped.' : words.failed;
    default:
      return assertNever(outcome);
  }
}

/** What was done: objects that are there or gone, also without what follows for them, and changes all of whose steps succeeded. */
function doneText({ resource_changes: changes, summary, steps }: Plan, missed: readonly EndedStep[]): string {
  const ids = new Set(missed.map(({ step }) => step));
  const left = steps.filter(({ id }) => ids.has(id));
  const isOf: { readonly [verb in 'create' | 'update' | 'delete']: (step: Step, of: ResourceChange) => boolean } = {
    create: ({ operation, address }, of) => operation === 'create' && address === of.address,
    update: ({ serves }, of) => serves.includes(of.address),
    delete: ({ operation, type, object }, of) => operation === 'delete' && type === of.type && object === of.id,
  };
  const count = (verb: keyof typeof isOf): number =>
    changes.filter(
      (of) => of.change.actions.some((action) => action === verb) && !left.some((step) => isOf[verb](step, of)),
    ).length;
  const adopted = summary.adopt === 0 ? '' : `, ${summary.adopt} adopted`;
  return `${count('create')} added, ${count('update')} changed, ${count('delete')} destroyed${adopted}`;
}

/** Lines of one sort; a document has all of them. */
const MOST = 10;

/** What is to be known of the end of a run besides its result. */
export function endBlocks(plan: Plan, report: EndedApply): readonly Block[] {
  const { results, message, stopped_by: by, unsettled, kept_forms: forms, rewritten } = report;
  const missed = results.filter(({ status }) => status !== 'done');
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const absent = new Set(
    missed.flatMap(({ step, address }) => (steps.get(step)?.operation === 'create' ? [address] : [])),
  );
  const manual = plan.notes.filter(({ kind, address }) => kind === 'manual-step' && !absent.has(address));
  const again = 'Plan again in a few minutes: a value that has settled by then is no longer a difference.';
  return [
    ...(by === null ? [] : [stoppedBlock(by, message ?? '')]),
    ...part(
      'not-done',
      'Not done',
      'error',
      missed.map((each) => missedText(each, plan)),
    ),
    ...part(
      'unsettled',
      'Written, but not readable yet',
      'warning',
      unsettled.map(({ address, reading }) => [{ text: address, as: 'address' }, `: ${reading}`]),
      { remarks: [again] },
    ),
    ...part(
      'kept-forms',
      'Kept by the service in another form, which is no difference while it stays so',
      'strong',
      forms.flatMap(formTexts),
      { most: MOST },
    ),
    ...part(
      'rewritten',
      'Memberships that the service kept, and that were removed from the other side',
      'strong',
      rewritten.map((address) => [{ text: address, as: 'address' }]),
    ),
    ...part(
      'lost-secrets',
      'Secrets that are lost; run `chatform secrets rotate` to get new ones',
      'error',
      report.lost_secrets.map(({ address, reason }) => `${address}: ${reason}`),
    ),
    ...part(
      'rescued-secrets',
      'Secrets in a rescue file; correct the secrets sink, then run `chatform secrets rescue`',
      'error',
      report.rescued_secrets.map(({ address, path, reason }) => `${address}: in ${path}, because ${reason}`),
    ),
    ...part(
      'manual',
      'Manual steps',
      'strong',
      Array.from(byMessage(manual), ([what, addresses]) => [{ names: addresses }, `: ${what}`]),
    ),
  ];
}

function part(
  id: string,
  title: string,
  tone: Tone,
  texts: readonly Text[],
  list: { readonly most?: number; readonly remarks?: readonly Text[] } = {},
): readonly Section[] {
  if (texts.length === 0) return [];
  return [
    { type: 'section', id, title, tone, body: [{ type: 'list', texts, ...list }], weight: tone === 'error' ? 50 : 0 },
  ];
}

function stoppedBlock(by: NonNullable<EndedApply['stopped_by']>, message: string): Block {
  switch (by) {
    case 'error':
      return { type: 'text', text: [{ text: 'The run was stopped by an error:', tone: 'error' }, ` ${message}`] };
    case 'lease':
      return { type: 'text', text: [{ text: 'Nothing more was sent:', tone: 'error' }, ` ${message}`] };
    case 'time':
      return {
        type: 'text',
        text: {
          text: 'The run reached its time limit (run_timeout, --timeout) and sent nothing more. The next run continues where this one stopped.',
          tone: 'warning',
        },
      };
    default:
      return assertNever(by);
  }
}

/** What a step writes, by its address where it has one. */
function missedText({ step: id, address, status, error, because }: EndedStep, { steps }: Plan): Text {
  const step = steps.find((each) => each.id === id);
  const name: Text = { text: address ?? (step === undefined ? id : `${step.type} ${step.object}`), as: 'address' };
  if (error !== null) {
    const debug = error.debug_id === null ? '' : ` (x-debug-id ${error.debug_id})`;
    return [name, ': ', { text: 'failed', tone: 'error' }, `: ${errorText(error)}${debug}`];
  }
  return status === 'skipped'
    ? [name, ': ', { text: 'skipped', tone: 'warning' }, `, because this failed: ${because}`]
    : [name, ': ', { text: 'not sent', tone: 'warning' }, ', because the run was stopped'];
}

/** A line for each text that is kept in another form, with the spelling to write. */
function formTexts({ address, field, written, read, place }: EndedApply['kept_forms'][number]): readonly Text[] {
  const at = place === null ? '' : ` at ${place.file}:${place.line}:${place.column}`;
  return (differingTexts(written, read) ?? []).map(([given, kept]) => {
    const [before, now] = [value(given), value(kept)];
    return `${address}: ${field} ${before} is kept as ${now}; write ${now}${at}`;
  });
}

/** The next step. An undo that was interrupted is gone on with, and not taken back. */
function interruptedText({ results }: EndedApply, command: ApplyCommand, undo: string): Text {
  const isUndoable = command !== 'undo' && results.some(({ status }) => status === 'done');
  if (!isUndoable) return 'Run the same command again for the rest.';
  return ['Run the same command again for the rest, or ', { text: undo, as: 'code' }, ' to take back what was done.'];
}

/** What customers see after it. */
function customersSection(customers: AppliedTarget['customers']): readonly Section[] {
  if (customers === null || 'failure' in customers) return [];
  const { body } = customerView(customers.view);
  return body.length === 0 ? [] : [{ type: 'section', id: 'customers', title: 'As customers see it', body }];
}

function customersResult(customers: AppliedTarget['customers']): readonly Block[] {
  if (customers === null) return [];
  if ('view' in customers) return [{ type: 'text', text: customerView(customers.view).result }];
  const why = ` what customers see could not be verified: ${customers.failure}`;
  return [{ type: 'text', text: [{ text: 'Error:', tone: 'error' }, why] }];
}
