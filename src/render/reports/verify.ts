// Reports of what customers see of a license: JUnit XML, SARIF 2.1.0, Markdown and JSON.

import type { Notification, Result } from 'sarif';
import type { Diagnostic } from '../../base/model.ts';
import type { Verified } from '../../run/verify.ts';
import type { CustomerView } from '../../tasks/verify/schema.ts';
import { plain } from '../../view/plain.ts';
import { testCase } from '../../view/writers/junit.ts';
import { locationOf, message } from '../../view/writers/sarif.ts';
import { element } from '../../view/writers/xml.ts';
import { verifyMarkdown } from '../comment/verify.ts';
import { readingDocument } from '../documents.ts';
import { messageText, sentenceOf, subjectText } from '../words/verify.ts';
import { asNamed, type PathInRepository, projectPlace } from './findings.ts';
import { suiteXml } from './junit.ts';
import { logText } from './sarif.ts';

export type VerifyReport = 'json' | 'junit' | 'sarif' | 'markdown';

/** What was seen, and the findings about the files. */
export interface SeenByCustomers extends Verified {
  readonly diagnostics: readonly Diagnostic[];
}

export const verifyRenderers = {
  json: ({ view, requests, diagnostics }: SeenByCustomers) => readingDocument(view, false, requests, diagnostics),
  junit: ({ view }: SeenByCustomers, pathOf: PathInRepository) => verifyJunit(view, pathOf),
  sarif: ({ view }: SeenByCustomers, pathOf: PathInRepository) => verifySarif(view, pathOf),
  markdown: ({ view }: SeenByCustomers) => verifyMarkdown(view),
} as const satisfies { readonly [format in VerifyReport]: (seen: SeenByCustomers, pathOf: PathInRepository) => string };

export const VERIFY_REPORTS = Object.keys(verifyRenderers) as readonly VerifyReport[];

/** A case for each check: a difference failed, what is unseen was skipped. */
function verifyJunit({ target, checks, at }: CustomerView, pathOf: PathInRepository): string {
  const cases = checks.map((each) => {
    const { check, outcome, source, expected, found } = each;
    const text = messageText(each);
    const parts = {
      ok: [],
      differs: [element('failure', { message: text, type: check }, plain(`expected ${expected}, found ${found}`))],
      unseen: [element('skipped', { message: text })],
      reported: [element('system-out', {}, text)],
    };
    const place = source === null ? {} : { file: plain(pathOf(source.file) ?? source.file), line: source.line };
    return testCase(`chatform.verify.${plain(target)}.${check}`, subjectText(each), parts[outcome], place);
  });
  return suiteXml(`chatform verify ${plain(target)}`, cases, { timestamp: at.slice(0, 19) });
}

/** A rule for each sort of check, a result for each difference; what is unseen is a notification. */
function verifySarif({ target, checks }: CustomerView, pathOf: PathInRepository): string {
  const differing = checks.filter(({ outcome }) => outcome === 'differs');
  const rules = [...new Set(differing.map(({ check }) => check))];
  const results = differing.map(
    (each): Result => ({
      ruleId: each.check,
      ruleIndex: rules.indexOf(each.check),
      kind: 'fail',
      level: 'error',
      message: message([sentenceOf(each)]),
      locations: [each.source === null ? locationOf(projectPlace(pathOf), asNamed) : locationOf(each.source, pathOf)],
    }),
  );
  const unseen = checks
    .filter(({ outcome }) => outcome === 'unseen')
    .map((each): Notification => ({ level: 'note', message: message([sentenceOf(each)]) }));
  return logText(
    `chatform-verify/${plain(target)}/`,
    rules.map((id) => ({ id })),
    { executionSuccessful: true, toolExecutionNotifications: unseen },
    { results },
  );
}
