// Lints of greetings: those that can never show, show together with another one, are over, show nothing, or are switched off elsewhere. Only active ones.

import { isObject } from '../base/json.ts';
import type { DesiredResource, LintId, Reference } from '../base/model.ts';
import { greeting } from '../kinds/greeting.ts';
import { ruleWords } from '../kinds/greeting-rules.ts';
import type { LintFinding, PlaceOf } from './finding.ts';
import { contradictionIn, meaningOf, takenFrom } from './greeting-clauses.ts';
import { HIDES_OFFLINE } from './greetings.ts';
import type { Chain, Program } from './rules.ts';

const EXIT = 'is_exit_intent';
const ENABLED = 'smart_actions/greeting.enabled';

type Declared = Pick<DesiredResource, 'address' | 'kind' | 'spec'>;

/** What greetings are looked at by. `now` in milliseconds; `open` names the rules that are not fully known. */
interface GreetingContext {
  readonly program: Program;
  readonly open: ReadonlySet<string>;
  readonly now: number;
}

/** Lints of declared greetings, by what the files say of the properties that hide them. */
export function greetingLints(
  resources: readonly Declared[],
  { program, open, now }: GreetingContext,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  const active = resources.filter(({ kind, spec }) => kind === greeting.name && spec['active'] !== false);
  if (active.length === 0) return [];
  const chain = program.assumptions.greetings;
  const values = new Map(resources.map(({ address, spec }) => [String(address), spec['value']]));
  const isOff = values.get(`license_property/${ENABLED}`) === false;
  const finding = (id: LintId, about: readonly Reference[], message: string, remedy: string): LintFinding => ({
    id,
    about,
    place: placeOf(about[0] ?? ''),
    message,
    remedy,
  });
  return active.flatMap(({ address, spec }, index): readonly LintFinding[] => {
    const { active_until: until, group } = spec;
    const isOver = typeof until === 'string' && until !== '' && Date.parse(until) <= now;
    const pair = spec['rules'] === undefined ? null : contradictionIn(spec, chain);
    const taken =
      pair !== null || spec['rules'] === undefined || typeof group !== 'string'
        ? null
        : takenFrom(group, spec, program, open);
    const same = active.slice(0, index).find((other) => showsWith(other, { address, spec }, chain));
    const hidden =
      typeof group === 'string' &&
      values.get(`group_property/${group.replace(/^group\//, '')}/${HIDES_OFFLINE}`) === true;
    const found: readonly (LintFinding | false)[] = [
      pair !== null &&
        finding(
          'greeting-never-shows',
          [address],
          pair[0] === pair[1]
            ? `no visitor sees it: nothing is so that ${ruleWords(pair[0])}`
            : `no visitor sees it: ${ruleWords(pair[0])} and ${ruleWords(pair[1])} exclude each other`,
          'correct one of the rules, or combine them with `condition: or`',
        ),
      taken !== null &&
        finding(
          'greeting-never-shows',
          [address, taken.name],
          `no visitor sees it: ${taken.title} sends the visitors of its page to ${taken.groups.join(', ')}, and it belongs to ${group}`,
          'choose that group, or change the rules',
        ),
      same !== undefined &&
        finding(
          'greetings-together',
          [address, same.address],
          `it always shows together with ${same.address}: both have the same group and rules that mean the same`,
          'remove one of the two, or change when it shows',
        ),
      isOver &&
        finding(
          'past-greeting',
          [address],
          `it ended at ${until}`,
          'remove it, set `active: false`, or correct the date',
        ),
      isOff &&
        finding(
          'greeting-switched-off',
          [address],
          'it is active, and the license property `smart_actions/greeting.enabled` is false, so no greeting shows',
          'set the property to true, or the greeting to `active: false`',
        ),
      hidden &&
        finding(
          'greeting-when-offline',
          [address],
          'it does not show while its group is offline, because `smart_actions/greeting.hide_when_offline` is true',
          'set this lint to `off` where that is meant',
        ),
    ];
    return found.filter((each) => each !== false);
  });
}

/** Active greetings that show nothing, by all that is known of them: a file may leave the text to the license. */
export function silentGreetings(greetings: readonly Declared[], placeOf: PlaceOf): readonly LintFinding[] {
  return greetings
    .filter(({ kind, spec }) => kind === greeting.name && spec['active'] !== false && !saysSomething(spec))
    .map(({ address }) => ({
      id: 'greeting-without-text',
      about: [address],
      place: placeOf(address),
      message: 'it shows nothing: it has neither a text nor a rich message',
      remedy: 'write `properties: { greeting-message_text: ... }`, or `rich_message:`',
    }));
}

function saysSomething({ properties, rich_message: message }: Declared['spec']): boolean {
  const said = Object.entries(isObject(properties) ? properties : {});
  return isObject(message) || said.some(([name, value]) => name !== EXIT && value !== '');
}

type Spoken = Pick<Declared, 'address' | 'spec'>;

/** Whether two greetings of a group always show at the same moment, as long as both do. */
function showsWith({ spec: one }: Spoken, { spec: other }: Spoken, chain: Chain): boolean {
  if (one['group'] === undefined || one['group'] !== other['group']) return false;
  if (one['rules'] === undefined || other['rules'] === undefined || !isTogether(one, other)) return false;
  return meaningOf(one, chain) === meaningOf(other, chain) && isExit(one) === isExit(other);
}

function isTogether(one: Spoken['spec'], other: Spoken['spec']): boolean {
  const time = (value: unknown, otherwise: number): number =>
    typeof value === 'string' && value !== '' ? Date.parse(value) : otherwise;
  const [from, until] = [one, other].map((each) => [
    time(each['active_from'], Number.NEGATIVE_INFINITY),
    time(each['active_until'], Number.POSITIVE_INFINITY),
  ]) as [[number, number], [number, number]];
  return Math.max(from[0], until[0]) < Math.min(from[1], until[1]);
}

/** Whether it shows when the visitor is about to leave. */
function isExit({ properties }: Spoken['spec']): boolean {
  return isObject(properties) && properties[EXIT] === 'true';
}
