// "What changed in seven days": in the application and by the files, with who, when and why where that is known.

import { groupedBy } from '../../base/grouped.ts';
import { capital, counted, few } from '../../base/text.ts';
import type { SourcePlace } from '../../plan/plan.ts';
import type { Block, Entry, Section, Span, Text } from '../../view/blocks.ts';
import { plain, shortId } from '../../view/plain.ts';
import { isUnmanaged } from '../../view/words/difference.ts';
import { sentenceOf } from '../../view/words/sentence.ts';
import { whoText } from '../../view/words/who.ts';
import type { RunEntry } from '../history/schema.ts';
import { historyView } from '../history/view.ts';
import { changesText, howText, RUN_ENDINGS } from '../history/words.ts';
import type { DatedArrival } from './arrivals.ts';
import { messageSpan, placeText } from './message.ts';
import { momentText } from './moment.ts';
import { WISHES } from './needs-section.ts';
import type { LicensePage } from './page.ts';
import { sinceSection } from './week-view.ts';

/** More objects of a run are folded: the first run of a license made all of it. */
const MOST_OPEN = 5;

export function changesSection(page: LicensePage): Section {
  const { target, history, drift, arrivals } = page;
  const since = sinceSection(page);
  const items = (drift?.items ?? []).filter(
    (item) => (item.status === 'drift' || item.status === 'conflict') && !isUnmanaged(item),
  );
  const names = new Map<string, string>(
    [...page.people, ...page.rules, ...page.members.groups].map(({ address, name }) => [address, name]),
  );
  const named = (address: string): string => names.get(address) ?? address;
  const byHand = [
    ...items.map((item) => handEntry(target, sentenceOf(item, named), item.source, WISHES.drift)),
    ...arrivals.items.map((each) => handEntry(target, arrivalText(each, page), null, WISHES.drift)),
    ...suspensions(page),
  ];
  return {
    type: 'section',
    id: 'changes',
    title: 'What changed',
    body: [
      {
        type: 'section',
        id: 'by-hand',
        title: `By hand since ${page.since === page.lastApply ? 'the last apply, ' : ''}${momentText(page.timezone, page.since)}`,
        count: byHand.length,
        body: [
          ...(byHand.length === 0
            ? []
            : [{ type: 'list', texts: byHand } as const, { type: 'text', text: namelessText(page) } as const]),
          ...(drift === null
            ? [NOT_COMPARED]
            : byHand.length === 0
              ? [{ type: 'text', text: 'Nothing.' } as const]
              : []),
          ...undatedBlocks(arrivals.undated),
        ],
      },
      {
        type: 'section',
        id: 'by-runs',
        title: 'By runs of chatform in seven days',
        count: history.runs.filter(isListed).length,
        isDocument: true,
        body: history.runs.length === 0 ? [{ type: 'text', text: 'No run in seven days.' }] : runBlocks(page),
      },
      ...(since === null ? [] : [since]),
    ],
  };
}

const NAMELESS = 'Where no name is given, the service does not say who.';

function namelessText({ history }: LicensePage): Text {
  if (!history.runs.some(isByHand)) return NAMELESS;
  const api = { text: 'chatform api', as: 'code' } as const;
  return [`${NAMELESS} Requests sent by `, api, ' are listed below, with who sent them.'];
}

/** `...; it was not there on Sun 29 November 2026 05:10`. */
function arrivalText({ item, missedAt, seenAt }: DatedArrival, { timezone }: LicensePage): string {
  const when = missedAt === null ? 'a check first saw it on' : 'it was not there on';
  return `${sentenceOf(item)}; ${when} ${momentText(timezone, missedAt ?? seenAt)}`;
}

function undatedBlocks(count: number): readonly Block[] {
  if (count === 0) return [];
  const text = `Of ${counted(count, 'object')} that no file has, nothing says since when: no run or earlier check noted it.`;
  return [{ type: 'text', text: { text, tone: 'faint' } }];
}

const NOT_COMPARED: Block = {
  type: 'text',
  text: 'What else was changed is not known: the license could not be compared.',
};

function handEntry(target: string, says: string, source: SourcePlace | null, wish: string): Entry {
  const place: readonly Span[] = source === null ? [] : [{ text: placeText(source), as: 'file' }, ' '];
  return { text: says, below: [[...place, messageSpan(target, says, source, wish)]] };
}

/** No difference from the files, which say nothing of it. */
function suspensions({ target, barred, plan, people }: LicensePage): readonly Entry[] {
  const suspended = new Set(barred.flatMap(({ kind, address }) => (kind === 'suspended' ? [address] : [])));
  const files = plan === null ? 'whether the files say so is not known' : 'no file says so';
  return people
    .filter(({ address }) => suspended.has(address))
    .map(({ name, source }) =>
      handEntry(target, `${name} is suspended in the application; ${files}`, source, WISHES.suspended),
    );
}

/** A request that a person sent by `chatform api`. */
function isByHand({ command }: Pick<RunEntry, 'command'>): boolean {
  return command?.startsWith('api ') === true;
}

const UNRECORDED: readonly Block[] = [
  { type: 'text', text: 'What it changed is not recorded; what still differs from the files is told above.' },
];

/** An apply that found all as declared is only counted: a daily job has many. */
function isListed({ changes, outcome, command }: RunEntry): boolean {
  return outcome !== 'done' || Object.keys(changes).length > 0 || isByHand({ command });
}

/** In the words of the desk; the id of a run is for who looks it up. */
function runBlocks({ history, timezone }: LicensePage): readonly Block[] {
  const { runs } = history;
  const quiet = runs.filter((run) => !isListed(run));
  const [last] = quiet;
  const blocks = historyView(history, { run: null, only: [], find: null, inFull: true }).body;
  const alike = groupedBy(runs.filter(isListed), (run) => likeness(run, timezone));
  const listed = blocks.flatMap((block, index): readonly Block[] => {
    const run = runs[index];
    if (block.type !== 'section' || run === undefined) return [block];
    const same = alike.get(likeness(run, timezone)) ?? [run];
    if (!isListed(run) || same[0] !== run) return [];
    // The title has the reason, and each rule the positions.
    const body = block.body.slice(run.reason === null ? 0 : 1).filter(({ type }) => type !== 'picture');
    const isFolded = (run.objects ?? []).length > MOST_OPEN;
    return [
      {
        ...block,
        title: runTitle(run, timezone, same.length),
        body: [...(isByHand(run) ? UNRECORDED : body), { type: 'text', text: { text: runsText(same), tone: 'faint' } }],
        ...(isFolded ? { fold: { brief: changesText(run) } } : {}),
      },
    ];
  });
  if (last === undefined) return listed;
  const text = `${counted(quiet.length, 'run')} changed nothing, the last one on ${runTitle(last, timezone)}.`;
  return [...listed, { type: 'text', text }];
}

function runsText(runs: readonly RunEntry[]): string {
  return `${runs.length === 1 ? 'Run' : 'Runs'} ${few(
    runs.map(({ id }) => shortId(id)),
    MOST_OPEN,
  )}.`;
}

/** The same for requests by hand that are told together: those of a person with the same action on one day. */
function likeness(run: RunEntry, zone: string): string {
  const { id, at, by, outcome, reason } = run;
  if (!isByHand(run) || reason !== null) return id;
  return [howText(run), whoText(by), outcome, momentText(zone, at).slice(0, -CLOCK)].join();
}

/** Characters of a time of day. */
const CLOCK = 'HH:MM'.length;

/** `Sun 29 November 2026 05:10: daily hours (apply by bob, #12)`. `count`: of alike requests, of which this is the last. */
function runTitle(run: RunEntry, zone: string, count = 1): string {
  const { at, ended_at: end, by, reason, outcome } = run;
  const who = by === null ? 'by a person or a job that the ledger does not name' : `by ${whoText(by)}`;
  const what = isByHand(run)
    ? `${count === 1 ? 'request' : `${count} requests`} by hand, ${howText(run)},`
    : howText(run);
  const how = `${what} ${who}${outcome === 'done' ? '' : `, ${RUN_ENDINGS[outcome]}`}`;
  return `${momentText(zone, end ?? at)}: ${reason === null ? capital(how) : `${plain(reason)} (${how})`}`;
}
