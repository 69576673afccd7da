// Every output that one result has, each as a file of the golden folder of its situation.

import { expect } from 'vitest';
import type { ApplyReport } from '../../src/apply/apply.ts';
import type { ApplyEvent } from '../../src/apply/input.ts';
import type { Diagnostic } from '../../src/base/model.ts';
import { textOf } from '../../src/base/pieces.ts';
import { progressLines } from '../../src/features/apply/progress.ts';
import { endedApply } from '../../src/features/apply/report.ts';
import { applyView } from '../../src/features/apply/view.ts';
import { outputLines } from '../../src/features/ci/send-runner.ts';
import type { Notification } from '../../src/features/drift/notify/schema.ts';
import { notificationOf } from '../../src/features/drift/notify/send-notifications.ts';
import { type ChannelState, noticeOf } from '../../src/features/drift/notify/transition.ts';
import { newsOf } from '../../src/features/drift/notify/words.ts';
import type { DriftCheck } from '../../src/features/drift/schema.ts';
import { type CommentOrigin, commentMarkdown } from '../../src/features/plan/comment.ts';
import { planFindings } from '../../src/features/plan/findings.ts';
import type { PlanPictures } from '../../src/features/plan/pictures.ts';
import { planView } from '../../src/features/plan/view.ts';
import { messageTo, slackMessage } from '../../src/outlets/notify/message.ts';
import type { PlanResult, ReviewedPlan } from '../../src/plan/review/plan-result.ts';
import { findingsInFiles } from '../../src/view/diagnostics.ts';
import { commandDocument, failureDocument } from '../../src/view/documents.ts';
import {
  applyEvents,
  diagnosticEvents,
  failureEvent,
  planEvents,
  summaryEvent,
  versionEvent,
} from '../../src/view/events.ts';
import type { EventLine } from '../../src/view/events-schema.ts';
import { coloured, onTerminal, type Paint, uncoloured } from '../../src/view/paint.ts';
import { renderDiagnostics } from '../../src/view/terminal/diagnostics.ts';
import { annotations } from '../../src/view/writers/annotations.ts';
import { sarif } from '../../src/view/writers/sarif.ts';
import { terminalText } from '../../src/view/writers/terminal.ts';
import { driftRenderers, driftView } from '../features/drift/outputs.ts';
import { planReport } from '../features/plan/outputs.ts';

/** File name -> content. */
export type Outputs = { readonly [file: string]: string };

/** A file of the repository, and one beyond it. */
export const pathOf = (file: string): string | null => (file.startsWith('/') ? null : `support/${file}`);

export const AT = '2026-11-21T19:40:00.000Z';

export const ORIGIN: CommentOrigin = {
  commit: '0123456789abcdef0123456789abcdef01234567',
  run: 'https://github.example/o/r/actions/runs/7',
  folder: 'support',
  lineOf: ({ file, line }) => `https://github.example/o/r/blob/main/${file}#L${line}`,
};

/** The text, and which pieces of it have which tone. */
export function painted(file: string, textOf: (paint: Paint) => string): Outputs {
  const pieces: (readonly [tone: string, piece: string])[] = [];
  const text = textOf((tone, piece) => {
    pieces.push([tone, piece]);
    return piece;
  });
  // Colours change nothing but the colour.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are made of
  expect(textOf(coloured).replaceAll(/\u001b\[\d+m/g, '')).toBe(text);
  const tones = new Set(pieces.filter(([, piece]) => text.includes(piece)).map((each) => each.join(': ')));
  return { [`${file}.txt`]: text, ...(tones.size === 0 ? {} : { [`${file}.tones.txt`]: lines([...tones]) }) };
}

export function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

function ndjson(events: readonly EventLine[]): string {
  return lines(events.map((event) => JSON.stringify(event)));
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** One element a line; the stylesheet, which all pages share, is in one file of its own. */
export function unfolded(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, '<style></style>')
    .replace(/sha256-[\w+/=]+/, 'sha256-')
    .replaceAll(
      /(?<!\n)<(?=(?:section|h\d|p|li|ul|ol|table|tr|details|div|dl|svg|rect|path|line|text|nav|main|header)\b)/g,
      '\n<',
    );
}

/** The stylesheet of every page. */
export function styleOf(of: PlanResult): string {
  const page = planReport('html', of, { at: AT, pathOf });
  return `${/<style>(.*)<\/style>/s.exec(page)?.[1] ?? ''}\n`;
}

/** Outputs of planning, whatever it came to. */
export function planOutputs(of: PlanResult, pictures: PlanPictures | null = null): Outputs {
  const around = { at: AT, pictures, pathOf };
  const files = {
    'comment.md': commentMarkdown({ of, state: 'plan', origin: ORIGIN }),
    'page.html': unfolded(planReport('html', of, around)),
    'junit.xml': planReport('junit', of, around),
    'report.sarif': planReport('sarif', of, around),
    'codequality.json': planReport('codequality', of, around),
    'terraform.json': planReport('terraform', of, around),
    'annotations.txt': lines(annotations([planFindings(of, AT)], 'chatform production', pathOf)),
    'outputs.txt': outputLines({ outcome: of.outcome === 'failed' ? 'failed' : of.risk }),
  };
  if (of.outcome === 'failed') {
    const { message, diagnostics } = of;
    return {
      ...files,
      'failure.json': failureDocument(message, diagnostics),
      'events.ndjson': ndjson([
        versionEvent('plan', '0.1.0', 'production', '3.6'),
        ...diagnosticEvents(diagnostics),
        failureEvent(message),
      ]),
    };
  }
  const { plan, diagnostics } = of;
  return {
    ...painted('plan', (paint) => terminalText(planView(of), paint)),
    'plan-narrow.txt': terminalText(planView(of), onTerminal(uncoloured, 80)),
    ...painted('plan-details', (paint) => terminalText(planView(of), paint, { details: true })),
    ...files,
    'events.ndjson': ndjson([...diagnosticEvents(diagnostics), ...planEvents(plan)]),
  };
}

export interface Applied {
  readonly of: ReviewedPlan;
  readonly report: ApplyReport;
  readonly events: readonly ApplyEvent[];
  readonly exitCode: number;
  readonly command?: 'apply' | 'destroy' | 'undo';
}

const SENT = { list_groups: 2, update_group: 1, create_agent: 3 };

const NAMED = { run: '0123456789abcdef', sent: SENT } as const;

export function applyOutputs({ of, report, events, exitCode, command = 'apply' }: Applied): Outputs {
  const { plan } = of;
  const total = plan.steps.length;
  let ended = 0;
  const told = events.flatMap((event) => {
    if (event.type === 'ended') ended += event.results.length;
    return applyEvents(event, { ended, total });
  });
  const end = endedApply(report);
  const view = applyView(command, { plan, end: { type: 'ended', ...NAMED, report: end }, customers: null });
  return {
    ...painted('apply', (paint) =>
      [
        ...events.flatMap((event) => progressLines(event, paint)).map((line) => `${line}\n`),
        '\n',
        terminalText(view, paint),
      ].join(''),
    ),
    'apply.json': commandDocument({ ...end }),
    'events.ndjson': ndjson([...told, summaryEvent(end, exitCode)]),
  };
}

export function driftOutputs(look: DriftCheck): Outputs {
  return {
    ...(look.outcome === 'seen'
      ? painted('drift', (paint) => terminalText(driftView(look), paint))
      : { 'drift.txt': driftRenderers.text(look) }),
    'drift.json': driftRenderers.json(look),
    'drift.md': driftRenderers.markdown(look),
    'drift.csv': driftRenderers.csv(look),
    'page.html': unfolded(driftRenderers.html(look)),
    'junit.xml': driftRenderers.junit(look, pathOf),
    'report.sarif': driftRenderers.sarif(look, pathOf),
    'metrics.prom': driftRenderers.prometheus(look),
    ...notificationOutputs(look),
  };
}

/** What channels get that were told so before. */
export function notificationOutputs(look: DriftCheck, told: ChannelState | null = null): Outputs {
  const notice = noticeOf(look, told, 'always');
  if (notice === null) return {};
  const occasion = { target: 'production', page: null, channel: 'webhook:URL', told, mode: 'always' } as const;
  const notification = notificationOf(notice, look, occasion);
  return {
    'notification.json': pretty(notification),
    'slack.json': pretty(slackMessage(newsOf(notification))),
    'request.json': pretty(requestOf(notification)),
  };
}

function requestOf(notification: Notification): unknown {
  const secret = 'k'.repeat(32);
  const { url, headers } = messageTo(
    { type: 'webhook', name: 'hook', url: 'https://example.com/', secret },
    newsOf(notification),
  );
  return { url, headers: headers(Date.parse(AT)) };
}

const VALIDATED = { operation: 'validate', target: 'production', at: null, check: 'the files were read' };

export function diagnosticOutputs(diagnostics: readonly Diagnostic[]): Outputs {
  return {
    ...painted('diagnostics', (paint) => renderDiagnostics(diagnostics, paint)),
    'report.sarif': textOf(sarif([findingsInFiles(VALIDATED, diagnostics)], pathOf)),
    'failure.json': failureDocument('the files have errors', diagnostics),
    'events.ndjson': ndjson(diagnosticEvents(diagnostics)),
  };
}

/** The beginning and the end of a long text, and how much is between them. */
export function abridged(text: string, most = 120): string {
  const all = text.split('\n');
  if (all.length <= most) return text;
  const half = most / 2;
  const middle = all.slice(half, -half);
  return [...all.slice(0, half), `[... ${middle.length} lines ...]`, ...all.slice(-half)].join('\n');
}
