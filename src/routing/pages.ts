// Pages that the rules, routing tests and settings of a project name. An example is one of them, or is built from them, before it is made up.

import { countedBy } from '../base/grouped.ts';
import { byText } from '../base/json.ts';
import type { Need } from './need.ts';
import type { RouteTest } from './route-tests.ts';
import type { ParsedRule, Test } from './rules.ts';
import { pageUrl } from './text.ts';

/** What a project says about the pages of its visitors. */
export interface ProjectPages {
  /** The domain of the settings; null when they have none. */
  readonly domain: string | null;
  readonly tests: readonly (Pick<RouteTest, 'when' | 'expect'> & Partial<Pick<RouteTest, 'rule'>>)[];
}

export const NO_PAGES: ProjectPages = { domain: null, tests: [] };

export interface KnownPages {
  /** URLs of the tests, sorted: the order of files does not matter. */
  readonly urls: readonly string[];
  /** That of the settings, then those of tests and rules: the one that is named most comes first. */
  readonly domains: readonly string[];
}

/** Domains that are known, and pages that are tried for one need. */
const MOST = 20;

export function knownPages(rules: readonly ParsedRule[], { domain, tests }: ProjectPages): KnownPages {
  // A test that expects no group is often about a page of another site.
  const routed = tests.filter(({ expect }) => expect.length > 0);
  const named = [
    ...routed.flatMap(({ when }) => pageUrl(when.url)?.domain ?? []),
    ...rules.flatMap((rule) => rule.tests.flatMap(domainsIn)),
  ];
  const counts = countedBy(named, (name) => name);
  const sorted = [...counts].sort(([a, one], [b, other]) => other - one || byText(a, b)).map(([name]) => name);
  return {
    urls: [...new Set(tests.map(({ when }) => when.url))].sort(byText),
    domains: [...new Set([...(domain === null ? [] : [domain]), ...sorted])].slice(0, MOST),
  };
}

const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/** Domains that a condition asks for. */
function domainsIn(test: Test): readonly string[] {
  if (test.on === 'place' || test.wants === 'none') return [];
  return test.words.flatMap(({ text, written, exact }): readonly string[] => {
    if (test.on === 'domain') return exact || DOMAIN.test(text) ? [text] : [];
    if (!exact) return domainAt(text);
    const page = pageUrl(written);
    return page === null ? [] : [page.domain];
  });
}

/** The domain that a text such as `https://shop.example.com/pricing` or `shop.example.com/pricing` begins with. */
export function domainAt(text: string): readonly string[] {
  const domain = /^(?:https?:)?(?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?:[:/?#]|$)/u.exec(text)?.[1];
  return domain === undefined ? [] : [domain];
}

/**
 * Pages that may meet a need and are no invention: a domain that is named, with one text of a rule at most; and pages of tests. The caller checks
 * that a page is right.
 */
export function namedPages(need: Need, { urls, domains }: KnownPages): readonly string[] {
  if (need.wholeUrl !== null) return [need.wholeUrl.written];
  const built = domainsFor(need, domains).flatMap((domain) => {
    const start = `https://${domain}`;
    const rest = need.url.filter((part) => !`${start}/`.includes(part));
    return rest.length > 1 ? [] : [pageWith(start, rest)];
  });
  const tested = urls.filter((url) => need.url.every((part) => url.includes(part)));
  const isPath = need.url.every((part) => part.startsWith('/'));
  return (isPath ? [...built, ...tested] : [...tested, ...built]).slice(0, MOST);
}

function domainsFor({ wholeDomain, domain: parts, url }: Need, domains: readonly string[]): readonly string[] {
  if (wholeDomain !== null) return [wholeDomain];
  const own = url.flatMap(domainAt);
  const fitting = (own.length > 0 ? own : domains).filter((each) => parts.every((part) => each.includes(part)));
  if (fitting.length === 0 && parts.length <= 1) return domainsWith(parts);
  // Where rules name each known domain, one below it may be left.
  const [main = ''] = parts.length > 0 ? parts : fitting;
  return DOMAIN.test(main) && parts.length <= 1 ? [...fitting, `www.${main}`] : fitting;
}

/** Domains with these parts that are easy to read. */
export function domainsWith(parts: readonly string[]): readonly string[] {
  if (parts.length === 0) return ['example.com', 'www.example.com', 'example.org'];
  const joined = parts.join('.').replaceAll('..', '.');
  const start = joined.startsWith('.') ? `example${joined}` : joined;
  const whole = start.endsWith('.') ? `${start}example` : start;
  return whole.includes('.') ? [whole] : [`${whole}.example.com`, whole];
}

/** A page with these texts after its domain: a path, or a query where the text looks like one. */
export function pageWith(start: string, parts: readonly string[]): string {
  return parts.reduce((page, part) => {
    if (`${page}/`.includes(part)) return page;
    const isWhole = part.startsWith(start) || part.startsWith(start.slice('https://'.length));
    if (isWhole && page === start) return part.startsWith('http') ? part : `https://${part}`;
    return page + joint(page, part) + part;
  }, start);
}

function joint(page: string, part: string): string {
  if (/^[/?#]/.test(part)) return '';
  if (page.includes('?')) return '&';
  if (!part.includes('=')) return '/';
  return /^https?:\/\/[^/]*$/.test(page) ? '/?' : '?';
}
