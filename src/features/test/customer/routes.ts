// The pages of `routes:` as the service answers them: the group that each one gets, whether it is trusted, and whether the service shows routes at all.
// Specification of the Customer Chat Web API: get_dynamic_configuration; customer-and-reports-notes.md, "chatform test --on customer".

import type { Route } from '../../../manifest/routes.ts';
import { sourceOf } from '../../../plan/reference.ts';
import { holds, matches } from '../../../routing/match.ts';
import { needOfWord } from '../../../routing/need.ts';
import { type ParsedRule, type Program, programOf } from '../../../routing/rules.ts';
import { desiredRules } from '../../../routing/sources.ts';
import { readablePages } from '../../../routing/spelling.ts';
import { pageUrl } from '../../../routing/text.ts';
import { type ComparedVisitor, seen } from '../../../routing/visitor.ts';
import { PAGE_GROUP_VERSIONS } from '../../../service/customer.ts';
import {
  type Answers,
  askedText,
  type CustomerQuestion,
  NO_PAGE,
  pageQuestion,
  result,
  stateIn,
  statesIn,
  unseen,
  visitIn,
  visitQuestion,
} from './questions.ts';
import type { Checked } from './schema.ts';
import { type CustomerSubject, DEFAULT_CALLED, DEFAULT_GROUP, groupCalled, groupId } from './subject.ts';

/** Whether a route says where its visitor is: the service goes by the address of the caller instead. */
export function hasPlace({ when: { url: _, ...place } }: Pick<Route, 'when'>): boolean {
  return Object.keys(place).length > 0;
}

/** The routes that can be asked, in the order of the manifest. */
function askable({ routes }: CustomerSubject): readonly Route[] {
  return routes.filter((route) => !hasPlace(route));
}

function urlsOf(subject: CustomerSubject): readonly string[] {
  return [...new Set(askable(subject).map(({ when }) => when.url))];
}

function pagesOf(subject: CustomerSubject): readonly CustomerQuestion[] {
  return urlsOf(subject).map(pageQuestion);
}

/** A visit to each page, where pages are visited. */
export function visitQuestions(subject: CustomerSubject): readonly CustomerQuestion[] {
  return subject.visits ? urlsOf(subject).map(visitQuestion) : [];
}

/** Whether a visit showed the groups of any page. One that shows none proves nothing: a service without such replies answers the same. */
export function isShownByVisit(subject: CustomerSubject, answers: Answers): boolean {
  return urlsOf(subject).some((url) => {
    const visited = visitIn(answers, url);
    return visited !== null && 'seen' in visited && visited.seen !== null;
  });
}

/** Pages that may get other groups than a page in question: those of other routes, then those that a rule names. */
export function pagesElsewhere(subject: CustomerSubject): readonly string[] {
  const { rules } = programOf(desiredRules(subject.desired, null).rules, subject.assumptions);
  const named = rules.flatMap(({ tests }) =>
    tests.flatMap((test) =>
      test.on === 'place' || test.wants === 'none'
        ? []
        : test.words.flatMap((word) => readablePages(needOfWord(test.on, word)).slice(0, 1)),
    ),
  );
  return [...new Set([...urlsOf(subject), ...named])];
}

/** One request a page. Where every page gets the same group, and not the default one, one more tells whether any visit gets it. */
export function routeQuestions(subject: CustomerSubject, answers: Answers): readonly CustomerQuestion[] {
  const pages = pagesOf(subject);
  const only = onlyGroup(pages, answers);
  return only === null || only === DEFAULT_GROUP ? pages : [...pages, NO_PAGE];
}

/** The group that every page gets; null when they get several, or none was answered. */
function onlyGroup(pages: readonly CustomerQuestion[], answers: Answers): number | null {
  const groups = new Set(statesIn(answers, pages).map(({ group }) => group));
  const [first = null] = groups;
  return groups.size === 1 ? first : null;
}

/**
 * Whether the service shows which group a page gets. A service that does not show it answers the default group to every page, so nothing follows from
 * such answers, whatever the routes expect. Null while no page was answered.
 */
export function routesShown(subject: CustomerSubject, answers: Answers): boolean | null {
  const pages = pagesOf(subject);
  if (statesIn(answers, pages).length === 0) return null;
  const only = onlyGroup(pages, answers);
  if (only === null) return true;
  const [without] = statesIn(answers, [NO_PAGE]);
  return only !== (without?.group ?? DEFAULT_GROUP);
}

export function routeResults(subject: CustomerSubject, answers: Answers): readonly Checked[] {
  const view: RouteView = {
    shown: routesShown(subject, answers),
    isShownByVisit: isShownByVisit(subject, answers),
    program: programOf(desiredRules(subject.desired, null).rules, subject.assumptions),
  };
  return subject.routes.map((route) => routeResult(route, subject, answers, view));
}

interface RouteView {
  /** By the configuration of the widget. */
  readonly shown: boolean | null;
  readonly isShownByVisit: boolean;
  readonly program: Program;
}

function routeResult(route: Route, subject: CustomerSubject, answers: Answers, view: RouteView): Checked {
  const { url } = route.when;
  const name = route.name ?? url;
  const source = sourceOf(route.place);
  const expected = expectedText(route);
  if (hasPlace(route))
    return unseen('route', 'place', name, 'the service goes by the address of the caller', { expected, source });
  const visited = visitIn(answers, url);
  if (visited !== null && 'seen' in visited && (view.isShownByVisit || view.shown !== true))
    return visitedResult(route, name, visited.seen, subject, view);
  const question = pageQuestion(url);
  const state = stateIn(answers, question);
  const about = { asked: askedText(question), expected, source };
  if (state === null) return unseen('route', 'refused', name, 'it was not asked', { expected, source });
  if ('gone' in state) return unseen('route', 'refused', name, 'the service has no group for it', about);
  if ('hindrance' in state) return unseen('route', state.hindrance, name, state.reason, about);
  const { group } = state.seen;
  const found = groupCalled(subject, group);
  const way =
    visited !== null && 'hindrance' in visited ? `the visit was refused: ${visited.reason}` : otherWay(subject);
  if (view.shown === false)
    return unseen('route', 'routes-not-shown', name, `not shown: every page gets ${found}; ${way}`, {
      ...about,
      found,
    });
  const ids = route.expect.map((reference) => groupId(subject, reference));
  const wanted = ids.length === 0 ? [DEFAULT_GROUP] : ids;
  const reaches = `${url} reaches ${found}`;
  if (wanted.includes(group))
    return result('route', 'ok', name, asExpected(reaches, found, route), { ...about, found });
  if (wanted.includes(null))
    return unseen('route', 'no-group-id', name, `${reaches}, and the id of ${unknownOf(route, subject)} is not known`, {
      ...about,
      found,
    });
  const byPlace = rulesByPlace(view.program, url).find(({ groups }) =>
    groups.some((each) => groupId(subject, each) === group),
  );
  if (byPlace !== undefined)
    return unseen('route', 'place', name, `${reaches}, as ${byPlace.name} says for places where the caller may be`, {
      ...about,
      found,
    });
  return result('route', 'differs', name, `${reaches}, and ${expected} is expected`, { ...about, found });
}

/** What shows routes where the configuration of the widget does not. */
function otherWay({ version }: CustomerSubject): string {
  return PAGE_GROUP_VERSIONS.includes(version)
    ? '--visitor asks the real-time interface, and leaves a visitor'
    : `with customer_api_version ${PAGE_GROUP_VERSIONS.join(' or ')}, --visitor asks the real-time interface`;
}

/** A route whose page was visited. `groups` is null for those of a visit without a page, which no rule about pages gives. */
function visitedResult(
  route: Route,
  name: string,
  groups: readonly number[] | null,
  subject: CustomerSubject,
  { isShownByVisit: isShown, program }: RouteView,
): Checked {
  const { url } = route.when;
  const pageGroups = groups ?? [DEFAULT_GROUP];
  const ids = route.expect.length === 0 ? [DEFAULT_GROUP] : route.expect.map((each) => groupId(subject, each));
  const found = pageGroups.map((id) => groupCalled(subject, id)).join(', ');
  const expected = route.expect.length === 0 ? DEFAULT_CALLED : route.expect.join(', ');
  const asked = askedText(visitQuestion(url));
  const about = { as: 'customer', asked, expected, found, source: sourceOf(route.place) } as const;
  const reaches = `${url} reaches ${found}`;
  const byPlace = rulesByPlace(program, url).find((rule) =>
    groups === null
      ? isOfPlaces(rule)
      : sameGroups(
          rule.groups.map((each) => groupId(subject, each)),
          groups,
        ),
  );
  const isExpected = sameGroups(ids, pageGroups);
  if (!isShown && (isExpected || byPlace !== undefined)) {
    const why =
      byPlace === undefined
        ? 'so nothing proves the default group; a route that reaches another group would'
        : `perhaps because ${byPlace.name} decides for the place of the caller`;
    const what = `not shown: no page of the visit was told its groups, ${why}`;
    return unseen('route', 'routes-not-shown', name, what, { ...about, found: null });
  }
  if (isExpected && (groups !== null || byPlace === undefined))
    return result('route', 'ok', name, asExpected(reaches, found, route), about);
  if (ids.includes(null))
    return unseen(
      'route',
      'no-group-id',
      name,
      `${reaches}, and the id of ${unknownOf(route, subject)} is not known`,
      about,
    );
  if (byPlace !== undefined) {
    const says = `as ${byPlace.name} says for places where the caller may be`;
    const what = groups === null ? `${url} gets the groups of a visit without a page, perhaps` : `${reaches},`;
    return unseen('route', 'place', name, `${what} ${says}`, about);
  }
  return result('route', 'differs', name, `${reaches}, and ${expected} is expected`, about);
}

function sameGroups(one: readonly (number | null)[], other: readonly number[]): boolean {
  return one.length === other.length && other.every((id) => one.includes(id));
}

/** Whether it can decide for a visit without a page. */
function isOfPlaces({ tests }: ParsedRule): boolean {
  return tests.every(({ on }) => on === 'place');
}

/** `group/sales`, or `one of group/a, group/b`: of several groups the service names one. */
export function expectedText({ expect }: Pick<Route, 'expect'>): string {
  if (expect.length === 0) return DEFAULT_CALLED;
  return expect.length === 1 ? expect.join() : `one of ${expect.join(', ')}`;
}

/** A route that expects no group is right when it gets the default one, which may have a name of its own. */
export function asExpected(seen: string, group: string, { expect }: Pick<Route, 'expect'>): string {
  return expect.length === 0 && group !== DEFAULT_CALLED ? `${seen}, ${DEFAULT_CALLED}, as expected` : seen;
}

function unknownOf({ expect }: Route, subject: CustomerSubject): string {
  return expect.filter((reference) => groupId(subject, reference) === null).join(', ');
}

/** The rules that decide for a page instead of the one that does without a place, if the caller is at one of their places. */
function rulesByPlace({ rules, assumptions }: Program, url: string): readonly ParsedRule[] {
  const visitor = seen({ url }, assumptions);
  if ('wrong' in visitor) return [];
  const decider = rules.findIndex((rule) => matches(rule, assumptions.conditions, visitor));
  const before = decider === -1 ? rules : rules.slice(0, decider);
  return before.filter((rule) => wouldMatch(rule, assumptions.conditions, visitor));
}

function wouldMatch({ tests }: ParsedRule, conditions: 'all' | 'any', visitor: ComparedVisitor): boolean {
  const others = tests.filter(({ on }) => on !== 'place');
  if (others.length === tests.length) return false;
  return conditions === 'any' || others.every((test) => holds(test, visitor));
}

/** One check for each domain of the pages. */
export function pageResults(subject: CustomerSubject, answers: Answers): readonly Checked[] {
  const pages = askable(subject).flatMap((route): readonly AnsweredPage[] => {
    const domain = pageUrl(route.when.url)?.domain;
    const [state] = statesIn(answers, [pageQuestion(route.when.url)]);
    return domain === undefined || state === undefined ? [] : [{ route, domain, isTrusted: state.isTrusted }];
  });
  return [...new Set(pages.map(({ domain }) => domain))].flatMap((domain) => {
    const own = pages.filter((page) => page.domain === domain);
    const shown = [false, null, true].flatMap((answer) => own.find(({ isTrusted }) => isTrusted === answer) ?? [])[0];
    return shown === undefined ? [] : [pageResult(shown)];
  });
}

interface AnsweredPage {
  readonly route: Route;
  readonly domain: string;
  /** Null where the service does not say. */
  readonly isTrusted: boolean | null;
}

function pageResult({ route, domain, isTrusted }: AnsweredPage): Checked {
  const { url } = route.when;
  const asked = { asked: askedText(pageQuestion(url)), expected: 'trusted', source: sourceOf(route.place) };
  if (isTrusted === null)
    return unseen('page', 'not-told', domain, `the service does not say whether it trusts ${url}`, asked);
  const about = { ...asked, found: isTrusted ? 'trusted' : 'not trusted' };
  return isTrusted
    ? result('page', 'ok', domain, 'trusted', about)
    : result('page', 'differs', domain, `the service does not trust ${url}: the widget does not show there`, about);
}
