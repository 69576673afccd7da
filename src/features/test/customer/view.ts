// The view of what visitors and customers see of a license, next to what the files say.

import { counted } from '../../../base/text.ts';
import type { About } from '../../../many/operation.ts';
import type { Block, Mark, Row, Section, Table, View } from '../../../view/blocks.ts';
import { diagnosticFindings } from '../../../view/diagnostics.ts';
import type { Finding, Findings } from '../../../view/findings.ts';
import type { Rehearsal } from './chat.ts';
import type { Checked, CheckOutcome, CustomerView } from './schema.ts';
import { awaitedText, chatTrouble, costText, OUTCOMES, resultText, sentenceOf, subjectText } from './words.ts';

const MARKS: { readonly [outcome in CheckOutcome]: Mark } = {
  ok: { sign: '✓', word: OUTCOMES.ok, tone: 'add' },
  differs: { sign: '!', word: OUTCOMES.differs, tone: 'error' },
  unseen: { sign: '?', word: OUTCOMES.unseen, tone: 'faint' },
  reported: { sign: '~', word: OUTCOMES.reported, tone: 'warning' },
};

/** What a budget spares last. */
const WEIGHTS: { readonly [outcome in CheckOutcome]: number } = { ok: 0, unseen: 1, reported: 2, differs: 3 };

const PLURALS: { readonly [check in Checked['check']]?: string } = { property: 'properties', status: 'statuses' };

/** From so many on, checks that are unseen for one reason are one line. */
const MANY = 3;

export function customerView(view: CustomerView): View {
  const { target, checks, requests, token, summary } = view;
  const trouble = chatTrouble(view);
  const awaited = awaitedText(view);
  const asVisitor = `As a visitor, ${counted(requests.visitor, 'request')}${token === 'none' ? ' without a token' : ''}`;
  const asCustomer = `As a customer, ${counted(requests.customer, 'request')}`;
  return {
    title: ['Customers of ', { text: target, as: 'name' }],
    mark: summary.differs > 0 ? MARKS.differs : summary.unseen > 0 ? MARKS.unseen : MARKS.ok,
    // A chat that is left behind is said first.
    result: [
      ...(trouble === null ? [] : [{ text: `Warning: ${trouble}`, tone: 'warning' } as const, '; ']),
      { text: `${resultText(view)}.`, tone: 'strong' },
      ` ${costText(view)}.`,
    ],
    about: [],
    body: [
      ...part('visitor', asVisitor, checks),
      ...part('customer', asCustomer, checks),
      ...(awaited === null ? [] : [{ type: 'text', text: `${awaited}.` } as const]),
    ],
  };
}

/** A longer name moves those of its kind into a table of their own: the address of a property has the id of a client in it. */
const LONG = 32;

function part(by: Checked['as'], title: string, checks: readonly Checked[]): readonly Section[] {
  const own = checks.filter(({ as }) => as === by);
  if (own.length === 0) return [];
  const long = new Set(own.flatMap((each) => (subjectText(each).length > LONG ? [each.check] : [])));
  const parts = [own.filter(({ check }) => !long.has(check)), own.filter(({ check }) => long.has(check))];
  const sees = by === 'customer' ? 'Customers see' : 'Visitors see';
  const body = parts.filter((each) => each.length > 0).map((each) => checksTable(title, sees, each));
  return [{ type: 'section', id: by, title, body }];
}

function checksTable(name: string, sees: string, checks: readonly Checked[]): Table {
  return {
    type: 'table',
    name,
    columns: [{ title: 'Result' }, { title: 'Check' }, { title: sees }],
    rows: joined(checks),
  };
}

/** Checks that cannot be seen for one reason stand together, where the first of them stood. */
function joined(checks: readonly Checked[]): readonly Row[] {
  const same = (one: Checked, other: Checked): boolean => one.check === other.check && one.message === other.message;
  return checks.flatMap((each): readonly Row[] => {
    const { check, outcome, source, message } = each;
    const isPlaced = outcome === 'differs' && source !== null;
    const row = (subject: string): Row => ({
      cells: [{ mark: MARKS[outcome] }, subject, message],
      remarks: isPlaced ? [{ text: `${source.file}:${source.line}`, as: 'file', tone: 'faint' }] : [],
      weight: WEIGHTS[outcome],
    });
    if (outcome !== 'unseen') return [row(subjectText(each))];
    const group = checks.filter((other) => other.outcome === 'unseen' && same(each, other));
    if (group.length < MANY) return [row(subjectText(each))];
    return group[0] === each ? [row(counted(group.length, check, PLURALS[check]))] : [];
  });
}

/** What a rehearsed chat leaves, before it begins. */
export function rehearsalBlocks(
  { name, route, mark }: Rehearsal,
  { target, leaves }: { readonly target: string; readonly leaves: readonly string[] },
): readonly Block[] {
  return [
    {
      type: 'section',
      id: 'chat',
      title: `Target ${target}`,
      body: [
        {
          type: 'text',
          text: `A customer begins a chat from ${route.when.url}, for the route ${name}, and ends it. It asks for no agent (routing.ignore_agents_routing), and this cannot be taken back:`,
        },
        { type: 'list', texts: leaves },
        { type: 'text', text: `The thread is marked: ${mark.property} is ${JSON.stringify(mark.value)}.` },
      ],
    },
  ];
}

/** A row for each check. */
export function customerRows({ checks }: CustomerView): Table {
  const titles = ['check', 'subject', 'as', 'outcome', 'expected', 'found', 'file', 'line', 'message'];
  return {
    type: 'table',
    columns: titles.map((title) => ({ title })),
    rows: checks.map(({ check, subject, as, outcome, expected, found, source, message }) => ({
      cells: [
        ...[check, subject, as, outcome, expected ?? '', found ?? ''],
        ...[source?.file ?? '', source?.line ?? '', message],
      ],
    })),
  };
}

/** What is only told opens no alert: as what is unseen, it is a note. */
const RESULTS = { ok: 'passed', differs: 'failed', unseen: 'unknown', reported: 'unknown' } as const;

/** A case for each check: a difference fails. */
export function customerFindings(view: CustomerView, { diagnostics }: Pick<About, 'diagnostics'>): Findings {
  const { target, at, checks } = view;
  const trouble = chatTrouble(view);
  return {
    operation: 'test --on customer',
    scope: [target],
    at,
    check: 'customers were asked',
    failure: trouble,
    lines: [`${resultText(view)}.`],
    rules: [],
    findings: [
      ...checks.map((each): Finding => {
        const { check, outcome, expected, found, source } = each;
        const isOther = outcome === 'differs' && expected !== null;
        return {
          rule: check,
          level: 'error',
          result: RESULTS[outcome],
          subject: '',
          title: subjectText(each),
          lines: [sentenceOf(each), ...(isOther ? [`expected ${expected}, found ${found ?? 'nothing'}`] : [])],
          item: null,
          place: source,
          fingerprint: null,
        };
      }),
      ...diagnosticFindings(diagnostics),
    ],
    notes: [],
    fingerprints: null,
  };
}
