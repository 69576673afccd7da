// Findings as JUnit XML: a suite for each target, with a case for the operation itself and one for each finding.

import { assertNever } from '../../base/errors.ts';
import { joinedParts } from '../../base/pieces.ts';
import type { Finding, Findings, PathInRepository } from '../findings.ts';
import { entities, plain } from '../plain.ts';
import type { ReportWriter } from '../report.ts';
import { linesOf } from './sarif.ts';

export const report: ReportWriter = {
  write: ({ findings }, pathOf) => junit(findings, pathOf),
  begins: /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites [^>]*>\n {2}<testsuite name="chatform /,
};

export function junit(all: readonly Findings[], pathOf: PathInRepository): Iterable<string> {
  return suitesXml(all.map((findings) => suiteOf(findings, pathOf)));
}

export interface Suite {
  readonly name: string;
  readonly cases: readonly XmlElement[];
  /** RFC 3339; null where nothing has a time. */
  readonly at: string | null;
}

/** Suites of cases, counted. */
export function suitesXml(suites: readonly Suite[]): Iterable<string> {
  const all = countsOf(suites.flatMap(({ cases }) => cases));
  const elements = suites.map(({ name, cases, at }) =>
    element(
      'testsuite',
      // JUnit's schema knows no zone, and no fraction of a second.
      {
        name: name.trim(),
        ...countsOf(cases),
        ...(at === null ? {} : { timestamp: new Date(at).toISOString().slice(0, 19) }),
        time: 0,
      },
      cases,
    ),
  );
  return xmlDocument(element('testsuites', all, elements));
}

function countsOf(cases: readonly XmlElement[]) {
  const having = (part: string): number =>
    cases.filter(({ content }) => typeof content !== 'string' && content.some((each) => each.name === part)).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

export function testCase(
  classname: string,
  name: string,
  content: readonly XmlElement[],
  place: XmlElement['attributes'] = {},
): XmlElement {
  return element('testcase', { classname: classname.replace(/\.$/, ''), name, ...place, time: 0 }, content);
}

function suiteOf({ operation, scope, at, check, failure, lines, findings }: Findings, pathOf: PathInRepository): Suite {
  const classname = ['chatform', operation, ...scope].map(plain).join('.');
  const said = lines.map(plain).join('\n');
  const result =
    failure === null
      ? element('system-out', {}, said)
      : element('error', { message: plain(failure), type: 'failed' }, [plain(failure), said].join('\n').trim());
  const cases = findings.map((finding) => caseOf(finding, classname, pathOf));
  return {
    name: ['chatform', operation, ...scope].map(plain).join(' '),
    at,
    cases: [testCase(classname, check, [result]), ...cases],
  };
}

function caseOf(finding: Finding, classname: string, pathOf: PathInRepository): XmlElement {
  const { title, place } = finding;
  const at = place === null ? {} : { file: plain(pathOf(place.file) ?? place.file), line: place.line };
  return testCase(classname, plain(title), partsOf(finding), at);
}

function partsOf(finding: Finding): readonly XmlElement[] {
  const { result, rule, title, reason, lines } = finding;
  const said = plain(reason ?? lines[0] ?? title);
  const body = `\n${linesOf(finding).join('\n')}\n`;
  switch (result) {
    case 'failed':
      return [element('failure', { message: said, type: rule }, body)];
    case 'reported':
      return [element('system-out', {}, body)];
    case 'ignored':
    case 'unknown':
      return [element('skipped', { message: said })];
    case 'passed':
      return [];
    default:
      return assertNever(result);
  }
}

interface XmlElement {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string | number };
  readonly content: readonly XmlElement[] | string;
}

function element(name: string, attributes: XmlElement['attributes'], content: XmlElement['content'] = []): XmlElement {
  return { name, attributes, content };
}

function xmlDocument(root: XmlElement): Iterable<string> {
  return joinedParts(xmlLines(root, '<?xml version="1.0" encoding="UTF-8"?>\n', ''));
}

/** Characters that XML 1.0 cannot have at all, not even as a reference: section 2.2 of it. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** `special` are characters that a parser would take for markup or change. */
function xmlText(content: string, special: RegExp): string {
  const possible = content.replaceAll(
    FORBIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return entities(possible, special);
}

function* xmlLines({ name, attributes, content }: XmlElement, before: string, indent: string): Generator<string> {
  const pairs = Object.entries(attributes).map(([key, of]) => `${key}="${xmlText(String(of), /[&<>"'\t\n\r]/g)}"`);
  const start = [name, ...pairs].join(' ');
  if (content.length === 0) yield `${before}${indent}<${start}/>\n`;
  else if (typeof content === 'string') yield `${before}${indent}<${start}>${xmlText(content, /[&<>\r]/g)}</${name}>\n`;
  else {
    yield `${before}${indent}<${start}>\n`;
    for (const child of content) yield* xmlLines(child, '', `${indent}  `);
    yield `${indent}</${name}>\n`;
  }
}
