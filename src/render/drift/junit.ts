// A look in, JUnit XML out: a suite for the target, a case for the look itself and one for each item. What is as severe as `fail_on` failed, what
// is ignored was skipped, and a look that failed is an error.

import type { DriftItem, DriftReport, Look } from '../../tasks/drift/report.ts';
import { uncoloured } from '../paint.ts';
import { plain } from '../plain.ts';
import { itemLines } from './item-lines.ts';
import { headline } from './resources.ts';
import { waysOut } from './ways-out.ts';
import { fails, mover, standing, subject, totals, whyIgnored } from './words.ts';
import { type Element, element, xmlDocument } from './xml.ts';

function body(item: DriftItem, target: string): string {
  const ways = waysOut(target, item.address, [item]);
  return ['', headline(item), ...itemLines(item, uncoloured), ...ways, ''].join('\n');
}

function itemCase(item: DriftItem, classname: string, { target, fail_on: failOn }: DriftReport): Element {
  const told = fails(item, failOn)
    ? element('failure', { message: `${subject(item)}: ${mover(item)}`, type: item.status }, body(item, target))
    : element('system-out', {}, body(item, target));
  return element('testcase', { classname, name: subject(item), time: 0 }, [told]);
}

function ignoredCase(item: DriftItem, classname: string): Element {
  const message = whyIgnored(item);
  return element('testcase', { classname, name: subject(item), time: 0 }, [element('skipped', { message })]);
}

interface Counts {
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function suite(target: string, at: string, cases: readonly Element[], counts: Counts): string {
  const all = { tests: cases.length, ...counts };
  const name = `chatform drift ${plain(target)}`.trim();
  // JUnit's schema knows no zone, and no fraction of a second.
  const timestamp = new Date(at).toISOString().slice(0, 19);
  return xmlDocument(element('testsuites', all, [element('testsuite', { name, ...all, timestamp, time: 0 }, cases)]));
}

export function driftJunit(look: Look): string {
  const target = look.outcome === 'seen' ? look.report.target : (look.target ?? '');
  const classname = `chatform.drift.${plain(target)}`.replace(/\.$/, '');
  const lookCase = (content: readonly Element[]): Element =>
    element('testcase', { classname, name: 'the license was read', time: 0 }, content);
  if (look.outcome === 'failed') {
    const message = plain(look.message);
    const error = element('error', { message, type: 'failed' }, `${message}\nNobody knows whether there is drift.`);
    return suite(target, look.at, [lookCase([error])], { failures: 0, errors: 1, skipped: 0 });
  }
  const { report } = look;
  const summary = report.in_sync ? standing(report) : totals(report);
  const cases = [
    lookCase([element('system-out', {}, summary)]),
    ...report.items.map((item) => itemCase(item, classname, report)),
    ...report.ignored.map((item) => ignoredCase(item, classname)),
  ];
  const failures = report.items.filter((item) => fails(item, report.fail_on)).length;
  return suite(target, report.at, cases, { failures, errors: 0, skipped: report.ignored.length });
}
