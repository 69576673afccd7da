// JUnit XML: a suite for the target, with a case for each finding of a plan.

import type { PolicyResult } from '../../base/model.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { plain } from '../../view/plain.ts';
import { suitesXml, testCase } from '../../view/writers/junit.ts';
import { element, type XmlElement } from '../../view/writers/xml.ts';
import { findingsOf, type PathInRepository, type PlanFinding } from './findings.ts';

/** One suite of cases. */
export function suiteXml(
  name: string,
  cases: readonly XmlElement[],
  { timestamp = null }: { readonly timestamp?: string | null } = {},
): string {
  return suitesXml([{ name, cases, at: timestamp }]);
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
