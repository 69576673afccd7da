// The findings of a drift check: a rule for each kind of difference, a finding for each item.

import { type DriftKind, KIND } from '../../base/difference.ts';
import type { Json } from '../../base/model.ts';
import type { Finding, Findings, ItemInFull, Rule } from '../../view/findings.ts';
import { LIVE_SIDE, movedText, SIDES, titleOf, unmanagedItem, waysOut } from '../../view/words/difference.ts';
import type { DriftItem, DriftReport } from './schema.ts';
import { isBrief, remarksOf, resourceItem } from './view.ts';
import * as words from './words.ts';

const TWO_WAYS = 'Apply the manifest, or copy the license into it with `chatform drift --accept`.';

const RULES: { readonly [kind in DriftKind]: Omit<Rule, 'id'> } = {
  changed: { name: 'Changed', says: 'A value differs between the license and the manifest.', help: TWO_WAYS },
  missing: {
    name: 'Missing',
    says: 'A declared object is not on the license.',
    help: 'Apply to create it again, or remove it from the manifest with `chatform drift --accept`.',
  },
  unmanaged: {
    name: 'Unmanaged',
    says: 'An object is on the license, and the manifest does not declare it.',
    help: 'Declare it with `chatform drift --accept`, delete it on the license, or add an ignore rule.',
  },
  reordered: { name: 'Reordered', says: 'An ordered list is in another order than declared.', help: TWO_WAYS },
  unreadable: {
    name: 'Unreadable',
    says: 'A value cannot be read back, so it is not known whether it differs.',
    help: 'Compare it by hand, or leave it out of the manifest.',
  },
  'pending-approval': {
    name: 'PendingApproval',
    says: 'An agent waits for approval.',
    help: 'Approve the agent in the application of the service: an ordinary token cannot.',
  },
  due: {
    name: 'Due',
    says: 'The hours of a date that has come are not applied yet.',
    help: 'Apply the manifest: a job that applies it each day keeps hours up to date.',
  },
};

export function driftFindings(report: DriftReport): Findings {
  const unchecked = words.notChecked(report);
  const result = `${words.resultWord(report)} ${report.in_sync ? words.standing(report) : words.totals(report)}`;
  return {
    operation: 'drift',
    scope: [report.target],
    at: report.at,
    check: 'the license was read',
    rules: (Object.keys(KIND) as DriftKind[]).map((id) => ({ id, ...RULES[id] })),
    fingerprints: 'chatformDrift/v1',
    failure: null,
    lines: [result, ...(unchecked === null ? [] : [`Not checked: ${unchecked}.`])],
    findings: [...report.items, ...report.ignored].map((item) => findingOf(item, report)),
    notes: [
      ...report.notes.map(
        ({ kind, message, source }) => ({ kind, level: 'warning', text: message, place: source }) as const,
      ),
      ...(unchecked === null
        ? []
        : [{ kind: null, level: 'note', text: `not checked: ${unchecked}`, place: null } as const]),
    ],
  };
}

/** Items as severe as `fail_on` failed. */
function findingOf(item: DriftItem, { target, at, fail_on: failOn }: DriftReport): Finding {
  const { kind, severity, address, source, fingerprint, ignored } = item;
  const title = titleOf(item);
  return {
    rule: kind,
    level: severity,
    result: ignored !== null ? 'ignored' : words.fails(item, failOn) ? 'failed' : 'reported',
    subject: address,
    title,
    lines: [`${title}: ${movedText(item)}`],
    item: itemOf(item, { target, at }),
    place: source,
    fingerprint,
    ...(ignored === null ? {} : { reason: words.whyIgnored(item) }),
    data: dataOf(item, target),
  };
}

/** In full, with the commands that end it. */
function itemOf(item: DriftItem, { target, at }: Pick<DriftReport, 'target' | 'at'>): ItemInFull {
  const ways = item.ignored === null ? waysOut(target, item.address, [item]) : [];
  return isBrief(item)
    ? { item: unmanagedItem(item, remarksOf(item, at), ways), sides: LIVE_SIDE }
    : { item: resourceItem([item], at, ways), sides: SIDES };
}

function dataOf(item: DriftItem, target: string): { readonly [name: string]: Json } {
  const { status, address, path, base, live, desired, first_seen, ways_out } = item;
  return { target, address, status, path, base, live, desired, first_seen, ways_out };
}
