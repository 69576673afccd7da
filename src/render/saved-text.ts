// A saved plan, or what a plan of now does beyond it, in; the text that a person reads out. Decides nothing.

import type { ObjectId } from '../base/model.ts';
import { counted } from '../base/text.ts';
import type { Plan } from '../plan/plan.ts';
import type { ChangedObject, Mismatch, Unapproved } from '../tasks/saved/match.ts';
import type { Effect, SavedPlan } from '../tasks/saved/saved-plan.ts';
import type { Paint } from './paint.ts';
import { plain, value } from './plain.ts';

/** Lines of one heading at most: all of it is in the document. */
const MOST = 30;

/** Where a plan that is shown comes from, on one line or two. */
export function savedLine(
  file: string,
  { created_at, chatform_version, target, digest, acknowledged }: SavedPlan,
): string {
  const { given } = acknowledged;
  const consent = given.length === 0 ? '' : `Acknowledged when it was made: ${given.map(plain).join(', ')}.\n`;
  return `${plain(file)}: a plan of ${plain(target)}, made ${created_at} by chatform ${plain(chatform_version)}; digest ${digest.slice(0, 8)}.\n${consent}`;
}

/** Where a new plan was saved, and what to do with it. */
export function savedAsLine(file: string, plan: Plan, digest: string): string {
  const verb = plan.against === undefined && plan.withheld.length === 0 ? 'apply' : 'show';
  return `Saved as ${plain(file)}; digest ${digest.slice(0, 8)}. To ${verb} it: chatform ${verb} ${plain(file)}\n`;
}

/** Plan against plan: what nobody approved, what was approved otherwise, and what happened meanwhile. */
export function mismatchText(file: string, { created_at }: SavedPlan, mismatch: Mismatch, paint: Paint): string {
  const { unapproved, rebound, since, manifest_changed: manifestChanged } = mismatch;
  const anew = unapproved.filter(({ approved }) => approved.length === 0);
  const otherwise = unapproved.filter(({ approved }) => approved.length > 0);
  return [
    ...section(
      'Not approved:',
      anew.map(({ now }) => `${paint('add', '+')} ${subjectOf(now)}: ${stateOf(now)}`),
      paint,
    ),
    ...section(
      'Approved otherwise:',
      [...otherwise.map((each) => otherLine(each, paint)), ...rebound.map(reboundLine)],
      paint,
    ),
    ...section(`Changed on the license since ${created_at}:`, since.map(sinceLine), paint),
    ...(manifestChanged ? ['The manifest says something else than when the plan was made.', ''] : []),
    `${paint('strong', 'Nothing was changed.')} Plan again, and have that approved: chatform plan --out ${plain(file)}`,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`and ${lines.length - MOST} more`] : [];
  return [paint('strong', title), ...[...lines.slice(0, MOST), ...more].map((line) => `  ${line}`), ''];
}

/** One line for the end of a run that was not one. */
export function mismatchLine(file: string, { unapproved, rebound }: Mismatch): string {
  return `${file} no longer matches: ${counted(unapproved.length + rebound.length, 'effect')} of a plan of now ${unapproved.length + rebound.length === 1 ? 'is' : 'are'} not what was approved`;
}

function subjectOf(effect: Effect): string {
  switch (effect.effect) {
    case 'there':
    case 'gone':
    case 'renewed':
    case 'ours':
      return plain(effect.address);
    case 'value':
      return plain(`${effect.address} ${effect.field}`);
    case 'edge':
      return plain(`${effect.ends[0]} in ${effect.ends[1]}`);
    case 'order':
      return `order of ${effect.type}`;
    case 'renamed':
      return plain(effect.from);
  }
}

function stateOf(effect: Effect): string {
  switch (effect.effect) {
    case 'there':
      return 'is created';
    case 'gone':
      return 'is destroyed';
    case 'renewed':
      return 'is destroyed and created again';
    case 'ours':
      return 'becomes ours';
    case 'value':
      return value(effect.value);
    case 'edge':
      return effect.value === null ? 'no longer' : value(effect.value);
    case 'order':
      return effect.order.map(plain).join(', ');
    case 'renamed':
      return plain(`is called ${effect.to}`);
  }
}

function otherLine({ now, approved }: Unapproved, paint: Paint): string {
  const was = approved.map(stateOf).join(' and ');
  const isSame = was === stateOf(now);
  const [before, after] = isSame ? [idsOf(approved), idsOf([now])] : [was, stateOf(now)];
  return `${paint('change', '~')} ${subjectOf(now)}: approved ${before}, now ${after}`;
}

/** The same of another object. */
function idsOf(effects: readonly Effect[]): string {
  const ids = effects.map((effect): ObjectId | null => ('id' in effect ? effect.id : null));
  return ids.map((id) => (id === null ? 'for a new object' : `for ${plain(String(id))}`)).join(' and ');
}

function reboundLine({ address, approved, now }: Mismatch['rebound'][number]): string {
  return plain(`~ ${address}: approved for ${approved}, now another object: ${now}`);
}

function sinceLine({ object, address, what }: ChangedObject): string {
  const name = address === null || address === object ? object : `${address} (${object})`;
  return plain(`${name}: ${what}`);
}
