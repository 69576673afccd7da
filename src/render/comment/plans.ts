// The comment on the plans of several targets, within a budget of bytes. The title, the counts, the next step and the digest always stay; the worst
// plans get their room first, and of plans that are the same one is shown.

import { assertNever } from '../../base/errors.ts';
import { counted, few } from '../../base/text.ts';
import type { ApplyEnding, ChangeState } from '../../tasks/review/plan-result.ts';
import type { ReviewedPlans } from '../../tasks/targets/review.ts';
import { BUDGET, bytes, code, cut } from '../../view/markdown.ts';
import { RISKS } from '../words/plan.ts';
import { samePlanTitle, sinceText, statesText } from '../words/targets.ts';
import { type CommentOrigin, originLine, planBody } from './comment.ts';
import { findingList } from './lists.ts';
import { targetTable } from './targets-table.ts';

export interface PlansCommentInput {
  readonly of: ReviewedPlans;
  readonly state: ChangeState;
  /** Of an apply that failed; unknown when left out. */
  readonly ending?: ApplyEnding;
  readonly origin: CommentOrigin;
}

const LONGEST_NAME = 80;

/** Shares of the room: of what there is, of what that leaves. */
const SHARES = { findings: 0.3, table: 0.4 } as const;

/** Less room shows nothing of a plan that is worth reading. */
const LEAST_ROOM = 1500;

export function plansMarkdown(input: PlansCommentInput, budget: number = BUDGET): string {
  const { of, origin } = input;
  const { report } = of;
  const head = `${titleOf(input)}${countsOf(of)}${notesOf(of)}`;
  const tail = `${originLine(origin)}${closing(input)}`;
  let left = budget - bytes(head) - bytes(tail) - LEFT_OUT;
  const part = (text: string): string => {
    left -= bytes(text);
    return text;
  };
  const findings = part(findingsOf(of, origin, left * SHARES.findings));
  const table = part(report.targets.length === 0 ? '' : `\n${targetTable(report, left * SHARES.table)}`);
  return `${head}${findings}${table}${sections(of, origin, left)}${tail}`;
}

/** Bytes of the line that says how many plans are left out. */
const LEFT_OUT = 120;

function sections({ groups }: ReviewedPlans, { lineOf }: CommentOrigin, room: number): string {
  const shown = groups.filter(({ of }) => of.risk !== 'nothing');
  let left = room;
  const texts: string[] = [];
  for (const [index, { targets, of }] of shown.entries()) {
    const title = `\n### ${samePlanTitle(targets, (name) => code(cut(name, LONGEST_NAME)))}: ${RISKS[of.risk]}\n`;
    const share = Math.max(LEAST_ROOM, Math.floor(left / (shown.length - index)));
    const text = `${title}${planBody(of, lineOf, share - bytes(title))}`;
    if (bytes(text) > left) continue;
    left -= bytes(text);
    texts.push(text);
  }
  const missing = shown.length - texts.length;
  const more =
    missing === 0
      ? ''
      : `\n${counted(missing, 'more plan')} only in the table: \`chatform show\` of its file shows one.\n`;
  return `${texts.join('')}${more}`;
}

function titleOf({ of, state, ending, origin }: PlansCommentInput): string {
  const folder = origin.folder === '' ? '' : ` in ${code(cut(origin.folder, LONGEST_NAME))}`;
  const worst = riskText(of);
  const said = stateText(state, ending);
  return `## Plans of ${counted(of.report.targets.length, 'target')}${folder}: ${said === null ? worst : `${said} (${worst})`}\n`;
}

function riskText({ groups, unplanned }: ReviewedPlans): string {
  const none = unplanned.length === 0 ? '' : `${counted(unplanned.length, 'target')} without a plan`;
  const [first] = groups;
  if (first === undefined) return none === '' ? RISKS.nothing : none;
  return [RISKS[first.of.risk], none].filter((text) => text !== '').join('; ');
}

/** Null for plans that are only proposed. */
function stateText(state: ChangeState, ending: ApplyEnding = 'unknown'): string | null {
  switch (state) {
    case 'plan':
      return null;
    case 'applying':
      return 'being applied';
    case 'applied':
      return 'applied';
    case 'failed':
      return ending === 'differing' ? 'applied, but customers see something else' : 'not all applied';
    default:
      return assertNever(state);
  }
}

function countsOf({ facts: { counts }, report: { summary, targets } }: ReviewedPlans): string {
  const states = statesText(summary);
  const dangerous = targets.filter(({ figures }) => (figures['dangers'] ?? 0) > 0).length;
  const dangers = summary.figures['dangers'] ?? 0;
  const parts = [
    ...(counts === null
      ? []
      : [
          [
            `**${counts.add}** to add`,
            `**${counts.change}** to change`,
            `**${counts.destroy}** to destroy`,
            ...(counts.adopt === 0 ? [] : [`**${counts.adopt}** to adopt`]),
          ].join(', '),
        ]),
    ...(dangers === 0 ? [] : [`**${counted(dangers, 'danger')}** on ${counted(dangerous, 'target')}`]),
    ...(states === '' ? [] : [states]),
    ...(summary.requests === 0 ? [] : [counted(summary.requests, 'request')]),
  ];
  return parts.length === 0 ? '' : `\n${parts.join(' · ')}\n`;
}

function notesOf({ report }: ReviewedPlans): string {
  const since = sinceText(report, (ref) => code(cut(ref, LONGEST_NAME)));
  const names = report.orphaned.map((name) => code(cut(name, LONGEST_NAME)));
  const gone =
    names.length === 0
      ? []
      : [`Orphaned: ${few(names)}. chatform.yaml no longer has them; licenses and ledgers stay as they are.`];
  return [...(since === null ? [] : [since]), ...gone].map((text) => `\n${text}\n`).join('');
}

/** Why targets have no plan, where files are wrong. Those that plans have are shown with them. */
function findingsOf({ report, unplanned }: ReviewedPlans, { lineOf }: CommentOrigin, room: number): string {
  const errors = unplanned.length === 0 ? [] : report.diagnostics.filter(({ severity }) => severity === 'error');
  const list = findingList(errors, lineOf, room);
  return list === '' ? '' : `\n${list}`;
}

function closing(input: PlansCommentInput): string {
  const { digest } = input.of.facts;
  return `\n**Next:** ${nextStep(input)}\n${digest === null ? '' : `\nDigest ${code(digest)}\n`}`;
}

function nextStep({ of: { facts, groups, unplanned }, state, ending }: PlansCommentInput): string {
  switch (state) {
    case 'applying':
      return 'wait for the run to end; this comment will show the result.';
    case 'applied':
      return 'nothing; plans of the same files are empty now.';
    case 'failed':
      return ending === 'differing'
        ? 'read in the log of the run what customers see differently.'
        : 'read in the table, or in the log of the run, which targets are not applied, and why. Where a plan no longer matches, plan again; otherwise run it again: what is done is not repeated.';
    case 'plan':
      break;
    default:
      assertNever(state);
  }
  if (groups.length === 0 && unplanned.length > 0) return 'correct the errors that the run names, and push again.';
  const some =
    unplanned.length === 0 ? '' : ' Targets without a plan are not applied: correct their errors, and push again.';
  if (facts.outcome === 'withheld') return `change the files, or do what each line above says to continue.${some}`;
  if (facts.effect === 'no-changes') return `nothing; an apply would change nothing.${some}`;
  return `review them; an apply of the folder with this digest makes these changes and no others.${some}`;
}
