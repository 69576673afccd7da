// What came of planning in, JUnit XML out: a case for the plan itself, one for each policy, and one for each finding. What stops an apply failed.

import type { Verdict } from '../../base/model.ts';
import { type Outcome, targetOf } from '../comment/subject.ts';
import { type Element, element, xmlDocument } from '../drift/xml.ts';
import { plain } from '../plain.ts';
import type { PathInRepository } from '../repository-path.ts';
import { type Finding, findingsOf } from './findings.ts';

function policyCase({ name, level, passed, message, failure }: Verdict, classname: string): Element {
  const said = plain(`${message}${failure === null ? '' : ` (${failure})`}`);
  const told = passed
    ? []
    : [
        level === 'deny'
          ? element('failure', { message: said, type: 'policy' }, said)
          : element('system-out', {}, said),
      ];
  return element('testcase', { classname, name: `policy ${plain(name)}`, time: 0 }, told);
}

function findingCase({ rule, level, lines, source }: Finding, classname: string): Element {
  const place = source === null ? {} : { file: plain(source.file), line: source.line };
  const [message = ''] = lines;
  const body = lines.join('\n');
  const told = level === 'error' ? element('failure', { message, type: rule }, body) : element('system-out', {}, body);
  return element('testcase', { classname, name: `${rule}: ${message}`, ...place, time: 0 }, [told]);
}

export function planJunit(of: Outcome, pathOf: PathInRepository): string {
  const target = plain(targetOf(of) ?? '');
  const classname = `chatform.plan.${target}`.replace(/\.$/, '');
  const policies = of.outcome === 'planned' ? of.plan.policies : [];
  // A policy has a case of its own, whatever it says.
  const found = findingsOf(of, pathOf);
  const findings = found.filter(({ rule }) => !['policy', 'withheld/policy', 'failed'].includes(rule));
  const failed = of.outcome === 'failed';
  const message = failed ? plain(of.message) || (found.find(({ level }) => level === 'error')?.lines[0] ?? '') : '';
  const made = failed
    ? [element('error', { message, type: 'failed' }, message)]
    : [element('system-out', {}, summaryOf(of.plan.summary))];
  const cases = [
    element('testcase', { classname, name: 'the plan was made', time: 0 }, made),
    ...policies.map((policy) => policyCase(policy, classname)),
    ...findings.map((finding) => findingCase(finding, classname)),
  ];
  const failures = cases.filter(({ content }) => isFailure(content)).length;
  const all = { tests: cases.length, failures, errors: failed ? 1 : 0, skipped: 0 };
  const name = `chatform plan ${target}`.trim();
  return xmlDocument(element('testsuites', all, [element('testsuite', { name, ...all, time: 0 }, cases)]));
}

function isFailure(content: Element['content']): boolean {
  return typeof content !== 'string' && content.some(({ name }) => name === 'failure');
}

function summaryOf({ add, change, destroy, adopt }: { readonly [count: string]: number }): string {
  return `${add} to add, ${change} to change, ${destroy} to destroy, ${adopt} to adopt`;
}
