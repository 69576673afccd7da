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

/** `2 differ, 3 routes not shown, 1 cannot be seen from here`. */
export function resultText({ checks, summary: { differs, unseen } }: Pick<CustomerView, 'checks' | 'summary'>): string {
  if (checks.length === 0) return 'Nothing was checked: the files declare no routes, groups or properties';
  const hidden = notShown(checks);
  const rest = unseen - hidden;
  return [
    ...(differs > 0 ? [`${differs} ${differs === 1 ? 'differs' : 'differ'}`] : hidden > 0 ? [] : ['Nothing differs']),
    ...(hidden > 0 ? [`${counted(hidden, 'route')} not shown`] : []),
    ...(rest > 0 ? [`${rest} cannot be seen from here`] : []),
  ].join(', ');
}

/** Routes that the service could show, and does not. */
function notShown(checks: CustomerView['checks']): number {
  return checks.filter(({ hindrance }) => hindrance === 'routes-not-shown').length;
}

/** Why it is no success that no route differs; null where every route was shown, or cannot be. */
export function notShownText({ checks }: Pick<CustomerView, 'checks'>): string | null {
  const hidden = notShown(checks);
  return hidden === 0 ? null : `${counted(hidden, 'route')} not shown: where a page is routed was not tested`;
}

/** A chat that was left open, and routes that are not shown, are errors: what was asked for was not done. */
export function codeOfView(view: Pick<CustomerView, 'checks' | 'summary' | 'chat'>): 0 | 1 | 2 {
  if (view.chat?.ended === false) return 1;
  if (view.summary.differs > 0) return 2;
  return notShown(view.checks) > 0 ? 1 : 0;
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
