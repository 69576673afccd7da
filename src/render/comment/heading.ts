// A subject in; the title with what is worst, the counts, and where it comes from, out.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { code } from '../markdown-text.ts';
import { wellFormed } from '../plain.ts';
import { againstLine } from '../snapshot-text.ts';
import { type Ending, type Planned, type State, type Subject, targetOf, verdictOf, verdictWords } from './subject.ts';
import { cut } from './words.ts';

const LONGEST_TARGET = 80;

export function titleOf(subject: Subject): string {
  const { of, state, ending = 'unknown', origin } = subject;
  const name = targetOf(of);
  const folder = origin.folder === '' ? '' : ` in ${code(cut(origin.folder, LONGEST_TARGET))}`;
  const target = `${name === null ? '' : ` of ${code(cut(name, LONGEST_TARGET))}`}${folder}`;
  if (state === 'plan') return `## Plan${target}: ${verdictWords(verdictOf(of), subject)}\n`;
  const worst = of.outcome === 'failed' ? '' : ` (${verdictWords(verdictOf(of), subject)})`;
  return `## Plan${target}: ${state === 'failed' ? ENDING_TITLE[ending] : STATE_TITLE[state]}${worst}\n`;
}

const STATE_TITLE: { readonly [state in Exclude<State, 'plan' | 'failed'>]: string } = {
  applying: 'being applied',
  applied: 'applied',
};

const ENDING_TITLE: { readonly [ending in Ending]: string } = {
  withheld: 'not applied',
  locked: 'not applied',
  outdated: 'not applied',
  partial: 'apply not complete',
  interrupted: 'apply interrupted',
  unknown: 'apply failed',
};

/** What is being done about it at this moment; empty for a plan. */
export function stateLine({ state, ending = 'unknown' }: Pick<Subject, 'state' | 'ending'>): string {
  switch (state) {
    case 'plan':
      return '';
    case 'applying':
      return '\nThis plan is being applied.\n';
    case 'applied':
      return '\nThis plan was applied, and the license was seen to be so.\n';
    case 'failed':
      return `\n${endingLine(ending)}\n`;
    default:
      return assertNever(state);
  }
}

function endingLine(ending: Ending): string {
  switch (ending) {
    case 'withheld':
      return 'The run applied nothing: a guard or a policy withheld the plan.';
    case 'locked':
      return 'The run applied nothing: another run holds the target.';
    case 'outdated':
      return 'The run applied nothing: the plan no longer matches the license or the files.';
    case 'partial':
      return 'Some of this plan was not applied, or was not seen on the license in time; the next plan shows what is left.';
    case 'interrupted':
      return 'The run was interrupted. Some of this plan may have been applied; the next plan shows what is left.';
    case 'unknown':
      return 'The run did not end well. Some of this plan may have been applied; the next plan shows what is left.';
    default:
      return assertNever(ending);
  }
}

/** What it was made from, where that is not the license itself; empty where it is. */
export function againstBlock({ plan }: Planned): string {
  const line = againstLine(plan, (target) => code(cut(target, LONGEST_TARGET)));
  return line === null ? '' : `\n> [!NOTE]\n> ${line}\n`;
}

export function countsLine({ plan }: Planned): string {
  const { summary, requests, api_version } = plan;
  const counts = [
    `**${summary.add}** to add`,
    `**${summary.change}** to change`,
    `**${summary.destroy}** to destroy`,
    ...(summary.adopt === 0 ? [] : [`**${summary.adopt}** to adopt`]),
  ];
  return `\n${counts.join(', ')} · ${counted(requests.total, 'request')} · Configuration API ${api_version}\n`;
}

export function originLine({ origin: { commit, run } }: Subject): string {
  const parts = [
    ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
    ...(run === null ? [] : [`[the run](${link(run)})`]),
  ];
  return parts.length === 0 ? '' : `\n${parts.join(' · ')}\n`;
}

/** Whatever could end a link, or the cell that it stands in, is encoded. */
export function link(url: string): string {
  return encodeURI(wellFormed(url))
    .replaceAll(/%25([0-9A-F]{2})/gi, '%$1')
    .replaceAll(/[()|'*_~`@]/g, percent);
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
