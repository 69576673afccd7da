// The comment on a plan, within a budget of bytes. What matters most gets its room first: the title, the counts, the dangers, the next step and the
// digest always stay; unmanaged objects, notes, diffs, findings, rows of the table, vetoes and impact are cut in this order.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { ApplyEnding, ChangeState, PlanResult, ReviewedPlan } from '../../tasks/review/plan-result.ts';
import { BUDGET, bytes, code, cut, type LineUrl, linkTarget } from '../../view/markdown.ts';
import { againstLine, approvalLines, hoursLine, RISKS } from '../words/plan.ts';
import { byDanger, changeDiffs, changeTable, isListed } from './changes.ts';
import { dangerBlock } from './dangers.ts';
import { impactBlock } from './impact.ts';
import { findingFold, findingList, noteFold, overwrittenFold, unmanagedFold, vetoList } from './lists.ts';
import { customerBlock } from './verify.ts';

/** Where a comment comes from, as far as the job knows; every address is a URL. */
export interface CommentOrigin {
  readonly commit: string | null;
  readonly run: string | null;
  /** Of the project in its repository; empty for the root. */
  readonly folder: string;
  readonly lineOf: LineUrl | null;
}

export const NOWHERE: CommentOrigin = { commit: null, run: null, folder: '', lineOf: null };

export interface CommentInput {
  readonly of: PlanResult;
  readonly state: ChangeState;
  /** Of an apply that failed; unknown when left out. */
  readonly ending?: ApplyEnding;
  readonly origin: CommentOrigin;
}

/** Shares of the room that is left, so that no part takes the room of all that follow. */
const SHARES = {
  dangers: 0.8,
  customers: 0.5,
  impact: 0.4,
  vetoes: 0.5,
  table: 0.6,
  findings: 0.5,
  diffs: 0.8,
  overwritten: 0.5,
  notes: 0.5,
  unmanaged: 1,
} as const;

const LONGEST_MESSAGE = 2000;
const LONGEST_APPROVAL = 600;

export function commentMarkdown(input: CommentInput, budget: number = BUDGET): string {
  const { of } = input;
  const head = `${titleOf(input)}${stateLine(input)}`;
  const tail = `${originLine(input.origin)}${closing(input)}`;
  if (of.outcome === 'failed') {
    const said = of.message === '' ? '' : `\n${code(cut(of.message, LONGEST_MESSAGE))}\n\n`;
    const room = budget - bytes(head) - bytes(said) - bytes(tail);
    return `${head}${said}${findingList(of.diagnostics, input.origin.lineOf, room)}${tail}`;
  }
  const opening = `${head}${againstBlock(of)}`;
  return `${opening}${planBody(of, input.origin.lineOf, budget - bytes(opening) - bytes(tail))}${tail}`;
}

/** What a plan does, as far as there is room: its counts, what was acknowledged, its dangers and its changes. */
export function planBody(of: ReviewedPlan, lineOf: LineUrl | null, budget: number): string {
  const facts = `${countsLine(of)}${datesLine(of)}${verificationLine(of)}${approvalBlock(of)}`;
  return `${facts}${partsOf(of, lineOf, budget - bytes(facts))}`;
}

function partsOf(of: ReviewedPlan, lineOf: LineUrl | null, budget: number): string {
  const { plan, diagnostics } = of;
  let left = budget;
  const part = (share: number, write: (room: number) => string): string => {
    const text = write(Math.floor(left * share));
    left -= bytes(text);
    return text;
  };
  const changes = byDanger(plan.resource_changes.filter(isListed));
  const dangers = part(SHARES.dangers, (room) => dangerBlock(of, lineOf, room));
  const customers = part(SHARES.customers, (room) => customerBlock(of.customers, lineOf, room));
  const impact = part(SHARES.impact, (room) => impactBlock(plan.impact, room));
  const vetoes = part(SHARES.vetoes, (room) => vetoList(plan, room));
  const table = part(SHARES.table, (room) => changeTable(changes, lineOf, room));
  const findings = part(SHARES.findings, (room) => findingFold(diagnostics, room));
  const diffs = part(SHARES.diffs, (room) => changeDiffs(changes, room));
  // While some changes are not shown in full, there is no room for what does not change.
  const isWhole = diffs === changeDiffs(changes, Number.POSITIVE_INFINITY);
  const overwritten = part(SHARES.overwritten, (room) => overwrittenFold(plan, room));
  const notes = part(isWhole ? SHARES.notes : 0, (room) => noteFold(plan, room));
  const unmanaged = part(isWhole ? SHARES.unmanaged : 0, (room) => unmanagedFold(plan, room));
  return [customers, dangers, impact, vetoes, table, diffs, overwritten, findings, notes, unmanaged].join('');
}

const LONGEST_TARGET = 80;

function titleOf({ of, state, ending = 'unknown', origin }: CommentInput): string {
  const name = of.outcome === 'failed' ? of.target : of.plan.target;
  const folder = origin.folder === '' ? '' : ` in ${code(cut(origin.folder, LONGEST_TARGET))}`;
  const target = `${name === null ? '' : ` of ${code(cut(name, LONGEST_TARGET))}`}${folder}`;
  const worst = of.outcome === 'failed' ? 'no plan could be made' : riskText(of, state);
  if (state === 'plan') return `## Plan${target}: ${worst}\n`;
  const remark = of.outcome === 'failed' ? '' : ` (${worst})`;
  return `## Plan${target}: ${state === 'failed' ? ENDINGS[ending].title : STATE_TITLE[state]}${remark}\n`;
}

function riskText({ risk }: ReviewedPlan, state: ChangeState): string {
  return risk === 'nothing' && state !== 'plan' ? 'nothing to do' : RISKS[risk];
}

const STATE_TITLE: { readonly [state in Exclude<ChangeState, 'plan' | 'failed'>]: string } = {
  applying: 'being applied',
  applied: 'applied',
};

/** What a comment says of an apply that failed: in its title, below it, and as the next step. */
const ENDINGS: {
  readonly [ending in ApplyEnding]: { readonly title: string; readonly line: string; readonly next: string };
} = {
  differing: {
    title: 'applied, but customers see something else',
    line: 'This plan was applied and verified. What customers see of the license is not what the files say.',
    next: 'read below what differs, or in the log of the run. `chatform verify` looks again.',
  },
  withheld: {
    title: 'not applied',
    line: 'The run applied nothing: a guard or a policy withheld the plan.',
    next: 'read in the log of the run what withholds the plan; change the files, or acknowledge it, and plan again.',
  },
  locked: {
    title: 'not applied',
    line: 'The run applied nothing: another run holds the target.',
    next: 'wait until the other run, which the log names, has ended; then run it again.',
  },
  outdated: {
    title: 'not applied',
    line: 'The run applied nothing: the plan no longer matches the license or the files.',
    next: 'plan again, and get that plan approved. The log of the run says what differs.',
  },
  partial: {
    title: 'apply incomplete',
    line: 'Some of this plan was not applied, or could not be verified in time; the next plan shows what is left.',
    next: 'run it again with the same plan: finished steps are not repeated. The log of the run says what is left.',
  },
  interrupted: {
    title: 'apply interrupted',
    line: 'The run was interrupted. Some of this plan may have been applied; the next plan shows what is left.',
    next: 'run it again with the same plan: finished steps are not repeated. The log of the run says what is left.',
  },
  unknown: {
    title: 'apply failed',
    line: 'The run failed. Some of this plan may have been applied; the next plan shows what is left.',
    next: 'read the log of the run. If the plan no longer matches (exit code 5), plan again; otherwise run it again: finished steps are not repeated.',
  },
};

/** What is being done about the plan at this moment; empty for a plan that is only proposed. */
function stateLine({ state, ending = 'unknown' }: CommentInput): string {
  switch (state) {
    case 'plan':
      return '';
    case 'applying':
      return '\nThis plan is being applied.\n';
    case 'applied':
      return '\nThis plan was applied and verified.\n';
    case 'failed':
      return `\n${ENDINGS[ending].line}\n`;
    default:
      return assertNever(state);
  }
}

/** The snapshot that a plan was made from; empty for a plan of the license itself. */
function againstBlock({ plan }: ReviewedPlan): string {
  const line = againstLine(plan, (target) => code(cut(target, LONGEST_TARGET)));
  return line === null ? '' : `\n> [!NOTE]\n> ${line}\n`;
}

function countsLine({ plan: { summary, requests, api_version } }: ReviewedPlan): string {
  const counts = [
    `**${summary.add}** to add`,
    `**${summary.change}** to change`,
    `**${summary.destroy}** to destroy`,
    ...(summary.adopt === 0 ? [] : [`**${summary.adopt}** to adopt`]),
  ];
  return `\n${counts.join(', ')} · ${counted(requests.total, 'request')} · Configuration API ${api_version}\n`;
}

/** The days whose hours an apply makes; empty where no hours depend on the date. */
function datesLine({ plan }: ReviewedPlan): string {
  const line = hoursLine(plan);
  return line === null ? '' : `\n${line}\n`;
}

/** What an apply of the plan does in addition. */
function verificationLine({ verifiesAsCustomer, customers }: ReviewedPlan): string {
  return verifiesAsCustomer === true && customers === undefined
    ? '\nAfter the apply, the license is verified as customers see it.\n'
    : '';
}

/** Where the saved plan was made, what it was narrowed to, and what was acknowledged then. */
function approvalBlock({ approval }: ReviewedPlan): string {
  if (approval === undefined) return '';
  const lines = approvalLines(approval).map((line) => `- ${code(cut(line, LONGEST_APPROVAL))}\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

/** The commit and the run; empty where neither is known. */
export function originLine({ commit, run }: CommentOrigin): string {
  const parts = [
    ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
    ...(run === null ? [] : [`[the run](${linkTarget(run)})`]),
  ];
  return parts.length === 0 ? '' : `\n${parts.join(' · ')}\n`;
}

/** The next step, and the digest that an apply can be held to. */
function closing(input: CommentInput): string {
  const { of } = input;
  const digest = of.outcome === 'failed' || of.digest === null ? '' : `\nDigest ${code(of.digest)}\n`;
  return `\n**Next:** ${nextStep(input)}\n${digest}`;
}

function nextStep({ of, state, ending = 'unknown' }: CommentInput): string {
  if (state === 'applying') return 'wait for the run to end; this comment will show the result.';
  if (state === 'applied')
    return of.outcome === 'planned' && (of.customers?.summary.differs ?? 0) > 0
      ? 'look at what customers see differently; a plan of the same files is empty now.'
      : 'nothing; a plan of the same files is empty now.';
  if (state === 'failed') return ENDINGS[ending].next;
  if (of.outcome === 'failed') return 'correct the errors that the run names, and push again.';
  if (of.risk === 'withheld') return 'change the files, or do what each line above says to continue.';
  if (of.risk === 'nothing') return 'nothing; an apply would change nothing.';
  if (of.plan.against !== undefined)
    return 'review it; after the merge another plan is applied, made from the license as it is then.';
  return of.digest === null
    ? 'review it, then `chatform apply`.'
    : 'review it; an apply of the saved plan makes these changes and no others, or stops with exit code 5.';
}
