// The dangers of a plan, those that mean the same together, and what withholds it: what a person must have seen before saying yes.

import { countedBy, groupedBy } from '../../base/grouped.ts';
import type { Diagnostic, Json, KindName } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import { sidesInWords } from '../../kinds/words.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Plan, ResourceDrift } from '../../plan/plan.ts';
import { dangersIn, isDanger, isExposed, ownCautions, type ReviewedPlan } from '../../plan/review/plan-result.ts';
import type { Entry, MarkedSpan, Section, Text } from '../../view/blocks.ts';
import { memberChanges } from '../../view/values.ts';
import { DANGERS, policyWarnings } from '../../view/words/plan.ts';
import { exposedText, reroutedText } from '../../view/words/routing.ts';

/** `ids`: by the address of a change. */
export function dangerSections(of: ReviewedPlan, ids: ReadonlyMap<string, string>): readonly Section[] {
  return [...dangersSection(of, ids), ...withheldSection(of.plan)];
}

function dangersSection(of: ReviewedPlan, ids: ReadonlyMap<string, string>): readonly Section[] {
  const { gaps, plan } = of;
  const cautions = ownCautions(of);
  const said = (mark: string, text: Text): Text => [{ text: mark, tone: 'error' }, ': ', ...[text].flat()];
  const alike = cautionsAlike(cautions, leavingIn(plan));
  const lost = gaps.filter(isDanger).map(({ message }) => message);
  const others: readonly Text[] = [
    ...feltTexts(of).map((text) => said('routing', text)),
    ...exposure(plan).map((text) => said('during the apply', text)),
  ];
  const texts: readonly Text[] = [
    ...alike.map(([what, those, meaning]) =>
      said(DANGERS[what].mark, [{ names: namesOf(what, those, ids) }, ...meaning.map((each) => `: ${each}`)]),
    ),
    ...lost.map((text) => said('cover lost', text)),
    ...others,
  ];
  if (texts.length === 0) return [];
  const brief: readonly Text[] = [
    ...Array.from(
      groupedBy(cautions, ({ what }) => what),
      ([what, those]) => said(`${DANGERS[what].mark} (${those.length})`, { names: namesOf(what, those, ids) }),
    ),
    ...(lost.length === 0 ? [] : [said(`cover lost (${lost.length})`, { names: lost })]),
    ...others,
  ];
  return [
    {
      type: 'section',
      id: 'dangers',
      title: 'Dangers',
      tone: 'error',
      count: dangersIn(of),
      body: [{ type: 'list', texts, brief }],
      weight: 100,
      share: 0.9,
    },
  ];
}

/** What withholds the plan, and each danger, in one line; null without any. */
export function dangerTexts(of: ReviewedPlan): readonly string[] | null {
  const { gaps, plan } = of;
  const leaving = leavingIn(plan);
  const texts = [
    ...plan.withheld.map(({ message }) => message),
    ...ownCautions(of).map((caution) => {
      const { type, name, what } = caution;
      return [`${KINDS[type].noun.one} ${name} ${DANGERS[what].says}`, ...meaningOf(caution, leaving)].join(': ');
    }),
    ...gaps.filter(isDanger).map(({ message }) => message),
    ...feltTexts(of),
    ...exposure(plan),
  ];
  return texts.length === 0 ? null : texts;
}

/** Findings about the files that do not stand among the dangers. */
export function besidesDangers({ gaps, diagnostics }: ReviewedPlan): readonly Diagnostic[] {
  const dangers = new Set(gaps.filter(isDanger));
  return diagnostics.filter((each) => !dangers.has(each));
}

/** Who gets more access is known by name, unless two of them have it. */
function namesOf(
  what: Caution['what'],
  alike: readonly Caution[],
  ids: ReadonlyMap<string, string>,
): readonly MarkedSpan[] {
  const holders = countedBy(alike, ({ name }) => name);
  return alike.map(({ name, address }) => {
    const id = ids.get(address);
    const isNamed = what === 'access' && name.trim() !== '' && holders.get(name) === 1;
    return {
      text: address,
      ...(isNamed ? { shorter: name } : {}),
      as: 'address',
      ...(id === undefined ? {} : { to: id }),
    };
  });
}

type Alike = readonly [what: Caution['what'], alike: readonly Caution[], meaning: readonly string[]];

/** Those of one sort that mean the same, together. */
function cautionsAlike(cautions: readonly Caution[], leaving: ReadonlySet<string>): readonly Alike[] {
  const meanings = cautions.map((caution) => ({ caution, meaning: meaningOf(caution, leaving) }));
  const alike = groupedBy(meanings, ({ caution: { what }, meaning }) => JSON.stringify([what, meaning]));
  return Array.from(alike.values(), (same): Alike => {
    const [{ caution, meaning }] = same;
    return [caution.what, same.map((each) => each.caution), meaning];
  });
}

function leavingIn({ resource_changes: changes }: Plan): ReadonlySet<string> {
  return new Set(changes.flatMap(({ address, change }) => (change.after === null ? [address] : [])));
}

/** One text, or none where the mark says it all. What refers to the object and goes as well is none of its dangers. */
function meaningOf({ message, referred_by: all }: Caution, leaving: ReadonlySet<string>): readonly string[] {
  const names = all
    .filter(({ reference }) => !leaving.has(reference))
    .map(({ type, reference, name }) =>
      reference.startsWith(`${type}/`) ? reference : `${type} ${reference} ${JSON.stringify(name)}`,
    );
  const parts = [...(message === '' ? [] : [message]), ...(names.length === 0 ? [] : [`referred to by ${few(names)}`])];
  return parts.length === 0 ? [] : [parts.join('; ')];
}

/** Reroutes that are told here; the others are counted. */
const MOST_FELT = 3;

/** The count is that of the plan's list, which also has the visitors who had no group before. */
function feltTexts({ felt, plan: { routing } }: ReviewedPlan): readonly string[] {
  const texts = felt.slice(0, MOST_FELT).map((each) => reroutedText(each));
  if (felt.length <= MOST_FELT || routing === null) return texts;
  const { rerouted, exact } = routing;
  const newly = rerouted.filter(({ before }) => before.groups.length === 0).length;
  const more = `${exact ? '' : 'at least '}${counted(rerouted.length - MOST_FELT, 'more kind', 'more kinds')} of visitors ${rerouted.length - MOST_FELT === 1 ? 'goes' : 'go'} elsewhere`;
  return [...texts, `${more}${newly === 0 ? '' : `, ${newly} of them had no group before`}; ${ALL}`];
}

const ALL = '`chatform plan --details` shows each';

function exposure(plan: Plan): readonly string[] {
  if (!isExposed(plan)) return [];
  const [first, ...others] = plan.routing?.exposed ?? [];
  if (first === undefined) return ['it is not known whether chats are misrouted while the rules are written'];
  const more =
    others.length === 0
      ? ''
      : `; ${counted(others.length, 'more kind', 'more kinds')} of visitors ${others.length === 1 ? 'is' : 'are'} also misrouted: ${ALL}`;
  return [`${exposedText(first)}${more}`];
}

/** What withholds a plan, and how to go on. */
export function withheldSection({ withheld }: Plan): readonly Section[] {
  if (withheld.length === 0) return [];
  const texts = withheld.map(
    ({ guard, message, remedy }): Entry => ({
      text: [{ text: guard, tone: 'strong' }, `: ${message}`],
      below: [`to continue: ${remedy}`],
    }),
  );
  const title = 'Withheld: nothing is applied until this is resolved.';
  return [{ type: 'section', id: 'withheld', title, tone: 'error', body: [{ type: 'list', texts }], weight: 90 }];
}

export function policySection(plan: Plan): readonly Section[] {
  const texts = policyWarnings(plan).map(({ name, message }): Text => [{ text: name, tone: 'strong' }, `: ${message}`]);
  if (texts.length === 0) return [];
  const body = [{ type: 'list', texts }] as const;
  return [{ type: 'section', id: 'policies', title: 'Policy warnings', tone: 'warning', body, weight: 50 }];
}

/** Objects listed under one title in a terminal. */
const MOST_OBJECTS = 20;

/** What was changed on the license by hand, and the plan replaces. */
export function overwrittenSection({ resource_drift: all }: Plan): readonly Section[] {
  if (all.length === 0) return [];
  const title = 'Changed on the license since the last apply (will be overwritten)';
  const list = { type: 'list', texts: all.map(overwrittenText), most: MOST_OBJECTS } as const;
  return [{ type: 'section', id: 'overwritten', title, count: all.length, body: [list], weight: 20 }];
}

/** `group/sales: language_code "pl" -> "en"`: from what was applied to what is on the license. */
function overwrittenText({ address, type, change: { before, after } }: ResourceDrift): Text {
  if (address === type) return `the order of the ${KINDS[type].noun.many}`;
  const changes =
    after === null
      ? ['the object applied -> gone']
      : Object.keys(before)
          .flatMap((name) => overwrittenMembers(type, name, before[name], after[name]))
          .map(
            (each) =>
              `${each.name} ${each.before ?? 'none'} -> ${each.after === 'null' ? 'none' : (each.after ?? 'none')}`,
          );
  return [{ text: address, as: 'address' }, `: ${changes.join(', ')}`];
}

/** Hours by their days, all else by its members. */
function overwrittenMembers(type: KindName, name: string, before: Json | undefined, after: Json | undefined) {
  const field = KINDS[type].fields[name];
  const words = field === undefined ? [] : sidesInWords(field, [before ?? null, after ?? null]);
  return words.length === 0
    ? memberChanges(name, before ?? undefined, after ?? undefined)
    : words.map(({ about, says: [was = null, is = null] }) => ({ name: `${name} ${about}`, before: was, after: is }));
}
