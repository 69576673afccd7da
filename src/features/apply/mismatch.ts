// What stands between an approved plan and the plan of now: what was not approved, what was approved differently, what changed on the license since.

import { isList } from '../../base/json.ts';
import type { Json, ObjectId } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { ChangedObject, Mismatch, Unapproved } from '../../plan/saved/match.ts';
import type { Overtaken, OvertakenRule } from '../../plan/saved/overtaken.ts';
import type { Effect } from '../../plan/saved/saved-plan.ts';
import type { Block, Section, Text } from '../../view/blocks.ts';
import { value } from '../../view/plain.ts';
import { ACTIONS } from '../../view/words/actions.ts';

/** Lines below one title of a terminal. */
const MOST = 30;

/** `dated`: the hours that the approved plan was made for; null where none depend on the date. */
export function mismatchBlocks(
  { unapproved, rebound, overtaken, rules, since, manifest_changed: manifestChanged }: Mismatch,
  { madeAt, dated }: { readonly madeAt: string; readonly dated: string | null },
): readonly Block[] {
  const added = unapproved.filter(({ approved }) => approved.length === 0);
  const differing = unapproved.filter(({ approved }) => approved.length > 0);
  return [
    ...part('not-approved', 'Not approved', added.map(addedText)),
    ...part('differently', 'Approved differently', [...differing.map(otherText), ...rebound.map(reboundText)]),
    ...part('overtaken', 'Neither as approved nor as it was then', [
      ...overtaken.map(overtakenText),
      ...rules.map(ruleText),
    ]),
    ...part('since', `Changed on the license since ${madeAt}`, since.map(sinceText)),
    ...(dated === null ? [] : [{ type: 'text', text: `When it was made: ${dated}` } as const]),
    ...(manifestChanged ? [{ type: 'text', text: 'The manifest has changed since the plan was made.' } as const] : []),
  ];
}

function part(id: string, title: string, texts: readonly Text[]): readonly Section[] {
  return texts.length === 0
    ? []
    : [{ type: 'section', id, title, count: texts.length, body: [{ type: 'list', texts, most: MOST }] }];
}

/** The same as one line. */
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

function marked(action: keyof typeof ACTIONS, text: string): Text {
  return [{ mark: ACTIONS[action] }, ` ${text}`];
}

function addedText({ now, live }: Unapproved): Text {
  return live === null
    ? marked(actionOf(now), `${subjectOf(now)}: ${stateOf(now)}`)
    : marked('changed', `${subjectOf(now)}: ${value(live.value)} -> ${stateOf(now)}`);
}

function actionOf(effect: Effect): keyof typeof ACTIONS {
  switch (effect.effect) {
    case 'there':
      return 'created';
    case 'value':
      return effect.id === null ? 'created' : 'changed';
    case 'edge':
      return 'changed';
    case 'gone':
      return 'destroyed';
    case 'renewed':
      return 'replaced';
    case 'ours':
      return 'adopted';
    case 'order':
      return 'moved';
    case 'renamed':
      return 'renamed';
  }
}

/** What was approved of it, and what is there now. */
function overtakenText({ effect, field, before, live }: Overtaken): Text {
  const shown = (state: Json): string =>
    effect.effect === 'order' && isList(state)
      ? state.map(String).join(', ')
      : effect.effect === 'edge' && state === null
        ? 'not in it'
        : value(state);
  const subject = field === null ? subjectOf(effect) : `${subjectOf(effect)} ${field}`;
  const after = field === null ? stateOf(effect) : 'destroyed';
  return marked('changed', `${subject}: approved ${shown(before)} -> ${after}, live is now ${shown(live)}`);
}

function ruleText({ id, name, what }: OvertakenRule): Text {
  const rule = name === id ? String(id) : `"${name}" (${id})`;
  return marked(
    'changed',
    `unmanaged rule ${rule}: ${what} on the license, so which visitors it takes is not what was approved`,
  );
}

function subjectOf(effect: Effect): string {
  switch (effect.effect) {
    case 'there':
    case 'gone':
    case 'renewed':
    case 'ours':
      return effect.address;
    case 'value':
      return `${effect.address} ${effect.field}`;
    case 'edge':
      return `${effect.ends[0]} in ${effect.ends[1]}`;
    case 'order':
      return `order of ${effect.type}`;
    case 'renamed':
      return effect.from;
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
      return effect.order.join(', ');
    case 'renamed':
      return `is now called ${effect.to}`;
  }
}

function otherText({ now, approved }: Unapproved): Text {
  const was = approved.map(stateOf).join(' and ');
  const isSame = was === stateOf(now);
  const [before, after] = isSame ? [idsOf(approved), idsOf([now])] : [was, stateOf(now)];
  return marked('changed', `${subjectOf(now)}: approved ${before}, now ${after}`);
}

/** Tells effects apart that are the same, but of another object. */
function idsOf(effects: readonly Effect[]): string {
  const ids = effects.map((effect): ObjectId | null => ('id' in effect ? effect.id : null));
  return ids.map((id) => (id === null ? 'for a new object' : `for ${id}`)).join(' and ');
}

function reboundText({ address, approved, now }: Mismatch['rebound'][number]): Text {
  return marked('changed', `${address}: approved for ${approved}, now another object: ${now}`);
}

function sinceText({ object, address, what }: ChangedObject): Text {
  const name = address === null || address === object ? object : `${address} (${object})`;
  return `${name}: ${what}`;
}
