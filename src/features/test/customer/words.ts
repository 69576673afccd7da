// Words for what customers see of a license, shared by text, comments, pages and reports.

import { counted } from '../../../base/text.ts';
import type { Checked, CheckOutcome, CustomerView } from './schema.ts';

export const OUTCOMES: { readonly [outcome in CheckOutcome]: string } = {
  ok: 'ok',
  differs: 'differs',
  unseen: 'unseen',
  reported: 'reported',
};

/** What a check is about: the kind of the check where the name alone does not say it. */
export function subjectText({ check, subject }: Pick<Checked, 'check' | 'subject'>): string {
  switch (check) {
    case 'page':
      return `pages of ${subject}`;
    case 'prediction':
    case 'chat':
      return `${check} ${subject}`;
    default:
      return subject;
  }
}

/** One line of the result, and one sentence for a subject of its own. */
export function sentenceOf(checked: Checked): string {
  return `${subjectText(checked)}: ${checked.message}`;
}

/** `2 differ, 1 cannot be seen from here`. */
export function resultText({ checks, summary: { differs, unseen } }: Pick<CustomerView, 'checks' | 'summary'>): string {
  if (checks.length === 0) return 'Nothing was checked: the files declare no routes, groups or properties';
  const wrong = differs === 0 ? 'Nothing differs' : `${differs} ${differs === 1 ? 'differs' : 'differ'}`;
  return `${wrong}${unseen === 0 ? '' : `, ${unseen} cannot be seen from here`}`;
}

/** What it cost, and what stays of it. */
export function costText({ requests: { visitor, customer, agent = 0 }, left_behind: left }: CustomerView): string {
  const stays = left.length === 0 ? 'nothing is left behind' : `left behind: ${left.join('; ')}`;
  const asAgent = agent === 0 ? '' : `, ${agent} of them as an agent`;
  return `${counted(visitor + customer + agent, 'request')}${asAgent}; ${stays}`;
}

/** How the changes of an apply showed; null where none was waited for. */
export function awaitedText({ after_apply: awaited }: Pick<CustomerView, 'after_apply'>): string | null {
  if (awaited === null) return null;
  const seconds = `${Math.round(awaited.elapsed_ms / 1000)} s`;
  if (awaited.unchanged.length === 0) return `Customers saw the changes after ${seconds}`;
  return `After ${seconds}, customers see these groups as before: ${awaited.unchanged.join(', ')}`;
}

/** Why a rehearsed chat did not end; null where it did, or none began. */
export function chatTrouble({ chat }: Pick<CustomerView, 'chat'>): string | null {
  return chat === null || chat.ended || chat.message === null ? null : chat.message;
}
