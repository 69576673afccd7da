// What channels are told of a plan, or of a run that changes licenses: one message for all of its targets, as a document and in words.

import { sha256Hex } from '../base/digest.ts';
import * as s from '../base/documents.ts';
import { countedBy } from '../base/grouped.ts';
import { canonicalJson } from '../base/json.ts';
import { FORMAT_VERSION } from '../base/model.ts';
import { counted } from '../base/text.ts';
import { type Starter, starter } from '../ledger/events.ts';
import type { Outcome, Problem, TargetRow } from '../many/operation.ts';
import { type Asked, inOneLine, rowOf } from '../many/outputs.ts';
import { TARGET_STATES, type TargetState } from '../many/schema.ts';
import {
  byWhom,
  type ChannelNews,
  code,
  escaped,
  LONGEST_MESSAGE,
  linkTo,
  shortened,
} from '../outlets/notify/message.ts';
import { channelName, tellChannels } from '../outlets/notify/send.ts';
import type { TargetSettings } from '../project/settings.ts';
import { startedBy } from '../target/started-by.ts';
import { time } from '../view/plain.ts';
import { whoText } from '../view/words/who.ts';
import { isAtTerminal, type Terminal } from './terminal.ts';

const state = (about: string) => s.oneOf(about, TARGET_STATES);

const target = s.record('What became of one target.', {
  target: s.text('Name of the target.'),
  state: state('Its state, as in the table of several targets.'),
  sentence: s.text('The same in a sentence for people. Without a full stop.'),
  lines: s.list('Why, or what is dangerous, at most 20.', s.text('In words, cut where it is long.')),
  figures: s.map('Counts, by their name.', s.whole('Count.')),
  page: s.orNull(s.text('Address of the page of the license, as `page_url` says; null without it.')),
});
type ToldTarget = s.ValueOf<typeof target>;

export const runNotification = s.record('What a webhook gets about a plan, or about a run that changes licenses.', {
  format_version: s.formatVersion,
  about: s.oneOf('`apply` for every run that changes licenses.', ['plan', 'apply']),
  command: s.text('The command: `plan`, `apply`, `destroy` or `undo`.'),
  state: state('The worst state of its targets.'),
  delivery: s.hex(32, 'The same for each attempt to send the same notification, as in the header X-Chatform-Delivery.'),
  at: s.text('When the run began, RFC 3339.'),
  run: s.orNull(s.text('Id of the run over several targets; null without one.')),
  by: starter,
  reason: s.orNull(s.text('Why, as `--reason` says, or the pull request.')),
  targets: s.list('The targets whose channels ask for it, the worst first.', target),
  omitted: s.whole('How many more targets there are.'),
});
type RunNotification = s.ValueOf<typeof runNotification>;

/**
 * Tells each channel that asks for it, once for all targets. A channel that fails is a warning: what was done is done. A person who plans at a terminal
 * sees the result. `run`: null where it is not over several targets. `by`: where it is not this process that began the run.
 */
export async function tellNews<Options, Value>(
  asked: Asked<Options, Value>,
  outcomes: readonly Outcome<Value>[],
  settingsOf: (target: string) => Promise<TargetSettings | null> | TargetSettings | undefined,
  { run, by }: { readonly run: string | null; readonly by?: Starter },
  terminal: Terminal,
): Promise<readonly Problem[]> {
  const { news, name: command } = asked.operation;
  if (news === undefined || (news.about === 'plan' && by === undefined && isAtTerminal(terminal))) return [];
  const found = outcomes.map(async (outcome) => {
    const settings = await settingsOf(outcome.target);
    const channels = settings?.notify.channels.filter(({ about }) => about.includes(news.about)) ?? [];
    const told = settings && channels.length > 0 ? toldTarget(asked, outcome, settings.notify.page) : null;
    return told === null ? [] : [{ told, at: outcome.at, channels, token: settings?.tokenEnv ?? '' }];
  });
  const all = (await Promise.all(found)).flat();
  const channels = new Map(all.flatMap((each) => each.channels.map((channel) => [channelName(channel), channel])));
  const { reason = null } = asked.options as { readonly reason?: string };
  const notificationFor = (name: string): RunNotification => {
    const own = all.filter((each) => each.channels.some((channel) => channelName(channel) === name));
    const targets = own.map(({ told }) => told).toSorted((a, b) => badness(b) - badness(a));
    const at = own.map((each) => each.at).toSorted()[0] ?? '';
    const states = targets.map((each) => [each.target, each.state]);
    return {
      ...{ format_version: FORMAT_VERSION, about: news.about, command, state: targets[0]?.state ?? 'done' },
      delivery: sha256Hex(canonicalJson([name, command, run, at, states])).slice(0, 32),
      ...{ at, run, by: by ?? startedBy(terminal), reason, targets: targets.slice(0, MOST_TARGETS) },
      omitted: Math.max(0, targets.length - MOST_TARGETS),
    };
  };
  const failures = await tellChannels(
    Array.from(channels, ([name, channel]) => ({
      channel,
      news: (redacted) => runNews(redacted(notificationFor(name))),
    })),
    all.map(({ token }) => token),
    terminal,
  );
  return failures.flatMap((message) => (message === null ? [] : [{ level: 'warning', message }]));
}

const MOST_TARGETS = 100;
const MOST_LINES = 20;

function badness({ state: known }: Pick<ToldTarget, 'state'>): number {
  return TARGET_STATES.indexOf(known);
}

/** Null where there is nothing to tell: no plan could be made, or nothing was to be done, or it was not begun because a person stopped the run. */
function toldTarget<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
  page: string | null,
): ToldTarget | null {
  const { news } = asked.operation;
  const isTold = news?.about === 'apply' && outcome.state !== 'interrupted' && outcome.state !== 'absent';
  const lines =
    outcome.state === 'known'
      ? (news?.says(outcome.value, outcome) ?? null)
      : isTold
        ? [inOneLine(outcome.message, outcome.diagnostics)].filter((line) => line !== outcome.state)
        : null;
  if (lines === null) return null;
  const row = rowOf(asked, outcome);
  const said = news?.about === 'plan' ? plannedText(row, lines.length) : changedText(row);
  return {
    ...{ target: outcome.target, state: row.state, sentence: `${outcome.target} ${said}` },
    lines: lines.slice(0, MOST_LINES).map((line) => shortened(line, LONGEST_MESSAGE)),
    ...{ figures: row.figures, page },
  };
}

function plannedText({ state: known }: TargetRow, dangers: number): string {
  return known === 'withheld' ? 'has a plan that is withheld' : `has a plan with ${counted(dangers, 'danger')}`;
}

const CHANGED: { readonly [known in TargetState]?: string } = {
  applied: 'was changed',
  differs: 'was changed, and customers do not see all of it',
  'in part': 'was changed in part',
  interrupted: 'was changed in part, because the run was interrupted',
  withheld: 'was not changed, because the plan is withheld',
  locked: 'was not changed, because another run has it locked',
  outdated: 'was not changed, because it is not as the approved plan says',
  unreachable: 'was not changed, because the service cannot be reached',
  'not begun': 'was not changed yet, because the run stopped before it',
};

function changedText({ state: known, figures }: TargetRow): string {
  const text = CHANGED[known] ?? 'could not be changed';
  const counts = [
    ['add', 'added'],
    ['change', 'changed'],
    ['destroy', 'removed'],
  ].flatMap(([figure = '', word]) => (figures[figure] ? [`${figures[figure]} ${word}`] : []));
  return counts.length === 0 || !text.startsWith('was changed') ? text : `${text}: ${counts.join(', ')}`;
}

function runNews(notification: RunNotification): ChannelNews {
  const { command, at, by, reason, targets, omitted } = notification;
  const [first, ...others] = targets;
  const states = countedBy(targets, (each) => each.state);
  const counts = [...states].map(([known, count]) => `${count} ${known}`).join(', ');
  const isOne = others.length === 0 && omitted === 0;
  const title = isOne ? first?.sentence : `${command} of ${targets.length + omitted} licenses: ${counts}`;
  return {
    document: notification,
    title: `chatform: ${title}`,
    lines: targets.map(({ sentence, lines, page }) => {
      const text = code([sentence, ...lines].join('; '), LONGEST_MESSAGE);
      return page === null ? text : `${text}\n${linkTo(page, 'page of the license')}`;
    }),
    omitted,
    closing: [
      `${escaped(command)} ${time(at)}${byWhom(whoText(by), reason)}`,
      ...(by.job === undefined ? [] : [linkTo(by.job, 'job')]),
    ],
  };
}
