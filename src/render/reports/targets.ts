// The report formats of a command for several targets: a row, a case or a section for each of them.

import type { Diagnostic } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { TargetAnswer } from '../../tasks/targets/schema.ts';
import { BUDGET, bytes, code, fitting, folded } from '../../view/markdown.ts';
import { plain } from '../../view/plain.ts';
import { csvText } from '../../view/writers/csv.ts';
import { testCase } from '../../view/writers/junit.ts';
import { element } from '../../view/writers/xml.ts';
import { targetTable } from '../comment/targets-table.ts';
import { commandDocument } from '../documents.ts';
import { type TargetsOnPage, targetsPage } from '../html/targets.ts';
import * as words from '../words/targets.ts';
import type { PathInRepository } from './findings.ts';
import { suiteXml } from './junit.ts';
import { diagnosticsSarif } from './sarif.ts';

/** The same with what the other formats need. */
export interface TargetsReading extends TargetsOnPage {
  readonly diagnostics: readonly Diagnostic[];
  readonly errored: boolean;
  readonly pathOf: PathInRepository;
}

export const targetsRenderers = {
  html: targetsPage,
  markdown: targetsMarkdown,
  csv: targetsCsv,
  junit: targetsJunit,
  sarif: ({ report, diagnostics, pathOf }: TargetsReading) =>
    diagnosticsSarif(diagnostics, `chatform-${report.command}/targets`, pathOf),
  json: ({ report, diagnostics, errored }: TargetsReading) => commandDocument({ ...report }, diagnostics, errored),
} as const;

export const TARGETS_REPORTS = Object.keys(targetsRenderers) as readonly (keyof typeof targetsRenderers)[];

function targetsCsv({ report }: TargetsReading): string {
  const columns = Object.keys(report.summary.figures);
  const head = ['target', 'state', 'exit_code', ...columns, 'requests', 'seconds', 'message'];
  const rows = report.targets.map(({ target, state, exit_code: exit, figures, requests, seconds, message }) => [
    ...[target, state, exit, ...columns.map((column) => figures[column] ?? 0)],
    ...[requests ?? '', seconds, message ?? ''],
  ]);
  return csvText([head, ...rows]);
}

/** A target that could not be asked is an error, one on which something is wrong a failure. */
function targetsJunit({ report, at }: TargetsReading): string {
  const cases = report.targets.map((answer) => {
    const said = plain(words.stateText(answer));
    const part = faultOf(answer);
    const content =
      part === null ? [element('system-out', {}, said)] : [element(part, { message: said, type: answer.state }, said)];
    return testCase(`chatform.${report.command}`, plain(answer.target), content);
  });
  return suiteXml(`chatform ${report.command}`, cases, { timestamp: at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) });
}

function faultOf({ state, exit_code: code }: TargetAnswer): 'error' | 'failure' | null {
  if (state === 'unreachable' || state === 'interrupted') return 'error';
  return code === 0 ? null : 'failure';
}

/** A table, and below it what there is to read, as far as a comment has room. */
function targetsMarkdown({ report, texts }: TargetsReading): string {
  const facts = [words.factsText(report), words.sinceText(report, code) ?? '']
    .filter((text) => text !== '')
    .join('\n\n');
  const head = `### chatform ${report.command}: ${counted(report.summary.targets, 'target')}\n\n${facts}\n\n`;
  const said = targetTable(report, BUDGET / 2);
  const sections = report.alike.map(
    ({ targets }, index) => `\n${folded(code(words.sameTitle(targets)), (texts[index] ?? '').trimEnd().split('\n'))}`,
  );
  const read = fitting(sections, BUDGET - bytes(head + said) - LEFT_OUT);
  const more = read.left === 0 ? '' : `\n${read.left} more are left out: the whole text is in the output of the job.\n`;
  return `${head}${said}${read.text}${more}`;
}

/** Bytes of the line that says what is left out. */
const LEFT_OUT = 120;
