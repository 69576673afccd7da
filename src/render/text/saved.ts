// The terminal text of saved plans and snapshots: what is in a file, and where a plan of now does more than was approved.

import { isList } from '../../base/json.ts';
import type { Json, ObjectId } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ChangedObject, Mismatch, Unapproved } from '../../tasks/saved/match.ts';
import type { Overtaken, OvertakenRule } from '../../tasks/saved/overtaken.ts';
import type { Effect, SavedPlan } from '../../tasks/saved/saved-plan.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, value } from '../../view/plain.ts';
import { block, capped } from '../../view/terminal/layout.ts';
import { approvalLines, hoursLine } from '../words/plan.ts';

/** Lines below one title; the document has all of them. */
const MOST = 30;

const VERIFIES = 'An apply of it verifies the license as customers see it.\n';

/** What a saved plan is: a line, and one each for where it was made, what it was narrowed to and what was acknowledged. */
export function savedLine(file: string, saved: SavedPlan): string {
  const { created_at, chatform_version, target, digest, verify_as_customer: verifies } = saved;
  const about = approvalLines(saved).map((line) => `${plain(line)}\n`);
  return `${plain(file)}: a plan of ${plain(target)}, made ${created_at} by chatform ${plain(chatform_version)}; digest ${digest.slice(0, 8)}.\n${about.join('')}${verifies === true ? VERIFIES : ''}`;
}

/** Where a new plan was saved, and what to do with it. */
export function savedAsLine(file: string, plan: Plan, digest: string): string {
  const verb = plan.against === undefined && plan.withheld.length === 0 ? 'apply' : 'show';
  return `Saved as ${plain(file)}; digest ${digest.slice(0, 8)}. To ${verb} it: chatform ${verb} ${plain(file)}\n`;
}

/** What a snapshot holds, and how to plan against it. `objects` are counts of kinds, in words. */
export function snapshotLine(
  file: string,
  {
    target,
    digest,
    objects,
  }: { readonly target: string; readonly digest: string; readonly objects: readonly string[] },
): string {
  const what = objects.length === 0 ? 'no object that these files manage' : objects.join(', ');
  return `Snapshot of ${plain(target)}: ${what}; digest ${digest.slice(0, 8)}. To plan against it: chatform plan --against ${plain(file)}\n`;
}

/** What was not approved, what was approved differently, and what changed on the license since. */
export function mismatchText(file: string, { created_at, plan }: SavedPlan, mismatch: Mismatch, paint: Paint): string {
  const { unapproved, rebound, overtaken, rules, since, manifest_changed: manifestChanged } = mismatch;
  const added = unapproved.filter(({ approved }) => approved.length === 0);
  const dated = hoursLine(plan);
  const differing = unapproved.filter(({ approved }) => approved.length > 0);
  return [
    ...block(
      paint('strong', 'Not approved:'),
      capped(added, MOST, (each) => addedLine(each, paint)),
    ),
    ...block(
      paint('strong', 'Approved differently:'),
      capped([...differing.map((each) => otherLine(each, paint)), ...rebound.map(reboundLine)], MOST),
    ),
    ...block(
      paint('strong', 'Neither as approved nor as it was then:'),
      capped([...overtaken.map((each) => overtakenLine(each, paint)), ...rules.map(ruleLine)], MOST),
    ),
    ...block(paint('strong', `Changed on the license since ${created_at}:`), capped(since, MOST, sinceLine)),
    ...(dated === null ? [] : [`When it was made: ${dated}`, '']),
    ...(manifestChanged ? ['The manifest has changed since the plan was made.', ''] : []),
    `${paint('strong', 'Nothing was changed.')} Plan again and get that plan approved: chatform plan --out ${plain(file)}`,
    '',
  ].join('\n');
}

/** The same as one error line. */
export function mismatchLine(file: string, { unapproved, rebound, overtaken, rules }: Mismatch): string {
  const [count, since] = [unapproved.length + rebound.length, overtaken.length + rules.length];
  const reasons = [
    ...(count === 0
      ? []
      : [`${counted(count, 'effect')} of the current plan ${count === 1 ? 'was' : 'were'} not approved`]),
    ...(since === 0
      ? []
      : [
          `${counted(since, 'thing')} that the plan rests on ${since === 1 ? 'was' : 'were'} changed on the license since`,
        ]),
  ];
  return `${file} no longer matches: ${reasons.join(', and ')}`;
}

function addedLine({ now, live }: Unapproved, paint: Paint): string {
  return live === null
    ? `${paint('add', '+')} ${subjectOf(now)}: ${stateOf(now)}`
    : `${paint('change', '~')} ${subjectOf(now)}: ${value(live.value)} -> ${stateOf(now)}`;
}

/** What was approved of it, and what is there now. */
function overtakenLine({ effect, field, before, live }: Overtaken, paint: Paint): string {
  const shown = (state: Json): string =>
    effect.effect === 'order' && isList(state)
      ? state.map((each) => plain(String(each))).join(', ')
      : effect.effect === 'edge' && state === null
        ? 'not in it'
        : value(state);
  const subject = field === null ? subjectOf(effect) : `${subjectOf(effect)} ${plain(field)}`;
  const after = field === null ? stateOf(effect) : 'destroyed';
  return `${paint('change', '~')} ${subject}: approved ${shown(before)} -> ${after}, live is now ${shown(live)}`;
}

function ruleLine({ id, name, what }: OvertakenRule): string {
  const rule = name === id ? String(id) : `"${name}" (${id})`;
  return plain(`~ unmanaged rule ${rule}: ${what} on the license, so which visitors it takes is not what was approved`);
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
      return 'is adopted';
    case 'value':
      return value(effect.value);
    case 'edge':
      return effect.value === null ? 'no longer' : value(effect.value);
    case 'order':
      return effect.order.map(plain).join(', ');
    case 'renamed':
      return plain(`is now called ${effect.to}`);
  }
}

function otherLine({ now, approved }: Unapproved, paint: Paint): string {
  const was = approved.map(stateOf).join(' and ');
  const isSame = was === stateOf(now);
  const [before, after] = isSame ? [idsOf(approved), idsOf([now])] : [was, stateOf(now)];
  return `${paint('change', '~')} ${subjectOf(now)}: approved ${before}, now ${after}`;
}

/** Tells effects apart that are the same, but of another object. */
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
