// Groups as customers get them: their language, and whether the widget is translated into it; and whether the product is active at all.
// Specification of the Customer Chat Web API: "Configuration and localization".

import { equalJson } from '../../../base/json.ts';
import type { Address, JsonObject } from '../../../base/model.ts';
import {
  type Answers,
  askedText,
  type CustomerQuestion,
  groupQuestion,
  phrasesIn,
  phrasesQuestion,
  result,
  type Seen,
  stateIn,
  statesIn,
  unseen,
  type WidgetState,
} from './questions.ts';
import { routeQuestions } from './routes.ts';
import type { Checked } from './schema.ts';
import { type CustomerSubject, DEFAULT_GROUP, declaredGroups, sourceAt, unknownGroups } from './subject.ts';

/** A declared group, with the language that it should have. */
interface SpokenGroup {
  readonly address: Address;
  readonly id: number;
  readonly language: string;
}

function spoken(subject: CustomerSubject): readonly SpokenGroup[] {
  return declaredGroups(subject).flatMap(({ address, id, spec: { language_code: language } }) =>
    typeof language === 'string' ? [{ address, id, language }] : [],
  );
}

/** Ids of the groups whose state is needed: those that say a language, the default one to compare with, and those that are watched. */
function neededGroups(subject: CustomerSubject): readonly number[] {
  const said = spoken(subject).map(({ id }) => id);
  const watched = subject.watched.flatMap((address) => subject.groups.get(address) ?? []);
  return [...new Set([...(said.length === 0 ? [] : [DEFAULT_GROUP]), ...said, ...watched])];
}

/** The page that got a group has answered for it as well. */
function answeredByPage(id: number, subject: CustomerSubject, answers: Answers): CustomerQuestion | null {
  return routeQuestions(subject, answers).find((page) => statesIn(answers, [page])[0]?.group === id) ?? null;
}

/** The request whose answer tells the state of a group. */
export function stateQuestion(id: number, subject: CustomerSubject, answers: Answers): CustomerQuestion {
  return answeredByPage(id, subject, answers) ?? groupQuestion(id);
}

export function groupState(id: number, subject: CustomerSubject, answers: Answers): Seen<WidgetState> {
  return stateIn(answers, stateQuestion(id, subject, answers));
}

/** At most two requests a group: its state, unless a page got it, and its phrases, unless it speaks as the default group does. */
export function groupQuestions(subject: CustomerSubject, answers: Answers): readonly CustomerQuestion[] {
  const states = neededGroups(subject).map((id) => stateQuestion(id, subject, answers));
  const translated = spoken(subject).flatMap(({ id }) => {
    const pair = translationOf(id, subject, answers);
    return pair === null ? [] : [phrasesQuestion(pair.standard), phrasesQuestion(pair.own)];
  });
  return [...states, ...translated];
}

/** The states of the default group and of one that speaks another language; null where there is nothing to compare. */
function translationOf(id: number, subject: CustomerSubject, answers: Answers) {
  const [standard, own] = [groupState(DEFAULT_GROUP, subject, answers), groupState(id, subject, answers)];
  if (standard === null || own === null || !('seen' in standard) || !('seen' in own)) return null;
  return mainLanguage(standard.seen.language) === mainLanguage(own.seen.language)
    ? null
    : { standard: standard.seen, own: own.seen };
}

/** `en` of `en-GB`: dialects may share their phrases. */
function mainLanguage(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? '';
}

export function groupResults(subject: CustomerSubject, answers: Answers): readonly Checked[] {
  return [
    ...spoken(subject).flatMap((group) => languageResults(group, subject, answers)),
    ...unknownGroups(subject).map((address) =>
      unseen(
        'language',
        'no-group-id',
        address,
        'its id is not known: apply first, or set the token of the Configuration API',
        {
          source: sourceAt(subject, address),
        },
      ),
    ),
  ];
}

/** Its language; and its translation where that is another result. */
function languageResults(
  { address, id, language }: SpokenGroup,
  subject: CustomerSubject,
  answers: Answers,
): readonly Checked[] {
  const source = sourceAt(subject, address, ['language_code']);
  const question = stateQuestion(id, subject, answers);
  const state = stateIn(answers, question);
  const about = { asked: askedText(question), expected: language, source };
  if (state === null)
    return [unseen('language', 'refused', address, 'it was not asked', { expected: language, source })];
  if ('gone' in state)
    return [
      result('language', 'differs', address, `customers have no group ${id}`, { ...about, found: 'no such group' }),
    ];
  if ('hindrance' in state) return [unseen('language', state.hindrance, address, state.reason, about)];
  const { language: found } = state.seen;
  const speaks = { ...about, found };
  if (found.toLowerCase() !== language.toLowerCase())
    return [result('language', 'differs', address, `speaks ${found}; language_code says ${language}`, speaks)];
  const speech = result('language', 'ok', address, `speaks ${found}`, speaks);
  const pair = translationOf(id, subject, answers);
  if (pair === null) return [speech];
  const [theirs, own] = [phrasesOf(pair.standard, answers), phrasesOf(pair.own, answers)];
  const asked = askedText(phrasesQuestion(pair.own));
  for (const phrases of [own, theirs])
    if ('reason' in phrases)
      return [speech, unseen('translation', phrases.hindrance, address, phrases.reason, { asked, source })];
  if (!('seen' in own && 'seen' in theirs && equalJson(own.seen, theirs.seen))) return [speech];
  const said = `speaks ${found}, and every phrase is that of ${pair.standard.language}: it is not translated`;
  const same = { source, asked, expected: 'other phrases', found: 'the same phrases' };
  return [result('translation', 'differs', address, said, same)];
}

/** Phrases, or why there are none to go by. */
function phrasesOf(state: WidgetState, answers: Answers): Exclude<Seen<JsonObject>, null | { readonly gone: true }> {
  const phrases = phrasesIn(answers, phrasesQuestion(state));
  if (phrases === null || 'gone' in phrases)
    return { hindrance: 'refused', reason: 'the service has no phrases of the group' };
  if ('seen' in phrases && Object.keys(phrases.seen).length === 0)
    return {
      hindrance: 'not-told',
      reason: 'the service tells no phrases, so whether it is translated cannot be seen',
    };
  return phrases;
}

/** Whether the product is active, where the version tells: otherwise no page shows the widget, and nothing else can be seen. */
export function productResults(subject: CustomerSubject, answers: Answers): readonly Checked[] {
  const asked = [...routeQuestions(subject, answers), ...neededGroups(subject).map(groupQuestion)];
  const inactive = asked.find((question) => {
    const state = stateIn(answers, question);
    return state !== null && 'hindrance' in state && state.hindrance === 'inactive';
  });
  if (inactive === undefined) return [];
  const about = { asked: askedText(inactive), expected: 'active', found: 'not active' };
  return [result('product', 'differs', 'product', 'it is not active on this license: no page shows the widget', about)];
}
