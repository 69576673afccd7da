// JUnit XML: a suite for the target, with a case for each finding of a plan, each item of a drift check, or each routing test. It is well-formed
// whatever the texts are.

import type { Diagnostic, PolicyResult } from '../../base/model.ts';
import type { DriftCheck, DriftItem, DriftReport } from '../../tasks/drift/report.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import type { Tested, TestedRoute } from '../../tasks/show/routing-schema.ts';
import { uncoloured } from '../../view/paint.ts';
import { entities, plain } from '../../view/plain.ts';
import { renderDiagnostic } from '../text/diagnostics.ts';
import { itemLines } from '../text/differences.ts';
import { groupsText } from '../text/routing.ts';
import {
  fails,
  headline,
  movedText,
  notChecked,
  resultWord,
  standing,
  titleOf,
  totals,
  waysOut,
  whyIgnored,
} from '../words/drift.ts';
import { findingsOf, type PathInRepository, type PlanFinding } from './findings.ts';

interface XmlElement {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string | number };
  readonly content: readonly XmlElement[] | string;
}

export function element(
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement {
  return { name, attributes, content };
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

function xmlLines({ name, attributes, content }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, of]) => `${key}="${xmlText(String(of), /[&<>"'\t\n\r]/g)}"`);
  const start = [name, ...pairs].join(' ');
  if (content.length === 0) return `${indent}<${start}/>\n`;
  if (typeof content === 'string') return `${indent}<${start}>${xmlText(content, /[&<>\r]/g)}</${name}>\n`;
  return `${indent}<${start}>\n${content.map((child) => xmlLines(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/** One suite of cases, counted. */
export function suiteXml(name: string, cases: readonly XmlElement[], more: XmlElement['attributes'] = {}): string {
  const having = (part: string): number =>
    cases.filter(({ content }) => typeof content !== 'string' && content.some((each) => each.name === part)).length;
  const counts = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
  const suite = element('testsuite', { name: name.trim(), ...counts, ...more, time: 0 }, cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlLines(element('testsuites', counts, [suite]), '')}`;
}

export function testCase(
  classname: string,
  name: string,
  content: readonly XmlElement[],
  place: XmlElement['attributes'] = {},
): XmlElement {
  return element('testcase', { classname: classname.replace(/\.$/, ''), name, ...place, time: 0 }, content);
}

/** A case for the plan itself, one for each policy, one for each other finding. What stops an apply is a failure. */
export function planJunit(of: PlanResult, pathOf: PathInRepository): string {
  const target = plain((of.outcome === 'failed' ? of.target : of.plan.target) ?? '');
  const classname = `chatform.plan.${target}`;
  const found = findingsOf(of, pathOf);
  // A policy has a case of its own, whatever its result.
  const findings = found.filter(({ rule }) => !['policy', 'withheld/policy', 'failed'].includes(rule));
  const cases = [
    testCase(classname, 'the plan was made', [planPart(of, found)]),
    ...(of.outcome === 'planned' ? of.plan.policies : []).map((policy) => policyCase(policy, classname)),
    ...findings.map((finding) => findingCase(finding, classname)),
  ];
  return suiteXml(`chatform plan ${target}`, cases);
}

function planPart(of: PlanResult, found: readonly PlanFinding[]): XmlElement {
  if (of.outcome === 'failed') {
    const message = plain(of.message) || (found.find(({ level }) => level === 'error')?.lines[0] ?? '');
    return element('error', { message, type: 'failed' }, message);
  }
  const { add, change, destroy, adopt } = of.plan.summary;
  return element('system-out', {}, `${add} to add, ${change} to change, ${destroy} to destroy, ${adopt} to adopt`);
}

function policyCase({ name, level, passed, message, failure }: PolicyResult, classname: string): XmlElement {
  const said = plain(`${message}${failure === null ? '' : ` (${failure})`}`);
  const part =
    level === 'deny' ? element('failure', { message: said, type: 'policy' }, said) : element('system-out', {}, said);
  return testCase(classname, `policy ${plain(name)}`, passed ? [] : [part]);
}

function findingCase({ rule, level, lines, source }: PlanFinding, classname: string): XmlElement {
  const place = source === null ? {} : { file: plain(source.file), line: source.line };
  const [message = ''] = lines;
  const body = lines.join('\n');
  const part = level === 'error' ? element('failure', { message, type: rule }, body) : element('system-out', {}, body);
  return testCase(classname, `${rule}: ${message}`, [part], place);
}

/** A case for the check itself, one for each item. Items as severe as `fail_on` failed, ignored ones were skipped; a check that failed is an error. */
export function driftJunit(look: DriftCheck): string {
  const target = plain((look.outcome === 'seen' ? look.report.target : look.target) ?? '');
  const classname = `chatform.drift.${target}`;
  const at = look.outcome === 'seen' ? look.report.at : look.at;
  const cases =
    look.outcome === 'seen'
      ? [
          ...look.report.items.map((item) => itemCase(item, classname, look.report)),
          ...look.report.ignored.map((item) => ignoredCase(item, classname)),
        ]
      : [];
  const read = testCase(classname, 'the license was read', [lookPart(look)]);
  // JUnit's schema knows no zone, and no fraction of a second.
  return suiteXml(`chatform drift ${target}`, [read, ...cases], { timestamp: new Date(at).toISOString().slice(0, 19) });
}

function lookPart(look: DriftCheck): XmlElement {
  if (look.outcome === 'seen') {
    const { report } = look;
    const unchecked = notChecked(report);
    const said = `${resultWord(report)} ${report.in_sync ? standing(report) : totals(report)}`;
    return element('system-out', {}, unchecked === null ? said : `${said}\nNot checked: ${unchecked}.`);
  }
  const message = plain(look.message);
  return element('error', { message, type: 'failed' }, `${message}\nIt is not known whether there is drift.`);
}

function itemCase(item: DriftItem, classname: string, { target, fail_on: failOn }: DriftReport): XmlElement {
  const ways = waysOut(target, item.address, [item]);
  const body = ['', headline(item), ...itemLines(item, uncoloured), ...ways, ''].join('\n');
  const part = fails(item, failOn)
    ? element('failure', { message: `${titleOf(item)}: ${movedText(item)}`, type: item.status }, body)
    : element('system-out', {}, body);
  return testCase(classname, titleOf(item), [part]);
}

function ignoredCase(item: DriftItem, classname: string): XmlElement {
  return testCase(classname, titleOf(item), [element('skipped', { message: whyIgnored(item) })]);
}

/** A case for each routing test; open tests were skipped. `failures` are the findings of the failed tests, in their order. */
export function testedJunit(
  { target, on, tests }: Tested,
  failures: readonly Diagnostic[],
  pathOf: PathInRepository,
): string {
  const left = [...failures];
  const classname = `chatform.routes.${plain(target)}.${on}`;
  const cases = tests.map((test) => {
    const failure = test.outcome === 'failed' ? left.shift() : undefined;
    const { file, line } = test.source;
    const name = plain(test.name === null ? test.visitor : `${test.name}: ${test.visitor}`);
    return testCase(classname, name, routeParts(test, failure), { file: plain(pathOf(file) ?? file), line });
  });
  return suiteXml(`chatform test ${plain(target)} ${on}`, cases);
}

function routeParts(test: TestedRoute, failure: Diagnostic | undefined): readonly XmlElement[] {
  switch (test.outcome) {
    case 'passed':
      return [];
    case 'open': {
      const message = `it depends on ${plain(test.depends_on ?? '')}, which the files do not fully declare`;
      return [element('skipped', { message })];
    }
    case 'failed': {
      const message = `${groupsText(test.got)}, expected ${groupsText(test.expected)}`;
      const body = failure === undefined ? message : renderDiagnostic(failure);
      return [element('failure', { message, type: 'route-failed' }, `\n${body}\n`)];
    }
  }
}
