// Hours with dates in a drift: what only the date changed is due and blames no person, and what a person changed is told and accepted by weekday.

import { describe, expect, test } from 'vitest';
import { DRIFT_KINDS } from '../../../src/base/difference.ts';
import type { Desired, Json } from '../../../src/base/model.ts';
import { type Acceptance, ANYWHERE, accept } from '../../../src/features/drift/accept/write-accept.ts';
import { judge } from '../../../src/features/drift/judge.ts';
import type { DriftItem } from '../../../src/features/drift/schema.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { type LoadedManifest, loadManifest, type ManifestInput } from '../../../src/manifest/load.ts';
import { compare } from '../../../src/plan/compare.ts';
import type { Difference } from '../../../src/plan/differences/difference.ts';
import { differencesOf } from '../../../src/plan/differences/differences.ts';
import { callByHand } from '../../laws/edits.ts';
import { memoryDisk } from '../../manifest/memory-disk.ts';
import { EVERYTHING, type World, world } from '../../world.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;

/** When worlds begin: a Monday, 10:00 in Warsaw. Thursday 8 January is closed. */
const BEGIN = Date.UTC(2026, 0, 5, 9);

const HOURS = `timezone: Europe/Warsaw
      schedule:
        - { day: monday, enabled: true, start: "09:00", end: "17:00" } # early
        - { day: thursday, enabled: true, start: "09:00", end: "17:00" }
      calendars: [poland]`;

const CALENDARS = 'calendars: { poland: [{ date: 2026-01-08, closed: true }, { date: 2026-03-30, closed: true }] }\n';

const OWN = `version: 1
${CALENDARS}agents:
  ann@example.com:
    name: Ann
    work_scheduler:
      ${HOURS}
`;

const NAMED = `version: 1
${CALENDARS}schedules:
    office:
      ${HOURS}
agents: { ann@example.com: { name: Ann, work_scheduler: office } }
`;

const OFF = { level: 'off', isExcepted: () => false } as const;

function inputOf(text: string, now: number): ManifestInput {
  return { files: ['m.yaml'], env: {}, version: '3.6', lintOf: () => OFF, now, io: memoryDisk({ 'm.yaml': text }) };
}

async function desiredAt(text: string, now: number): Promise<Desired> {
  const { desired, diagnostics } = await loadManifest(inputOf(text, now));
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

/** A license to which the manifest was applied at that time. */
async function applied(text: string, at: number): Promise<World> {
  const made = world({ settings: { approval: 'open' } });
  await until(made, at);
  await apply(made, text);
  return made;
}

async function apply(made: World, text: string): Promise<void> {
  const desired = await desiredAt(text, made.clock.now());
  const report = await made.apply(await made.plan(desired), desired);
  expect(report.outcome).toBe('done');
}

async function until({ clock }: World, at: number): Promise<void> {
  await clock.sleep(at - clock.now());
}

async function differences(made: World, text: string): Promise<readonly Difference[]> {
  const found = await made.differences(await desiredAt(text, made.clock.now()));
  return found.filter(({ kind }) => kind !== 'unmanaged');
}

async function told(made: World, text: string): Promise<readonly string[]> {
  return (await differences(made, text)).map(({ status, kind, path }) => `${status} ${kind} ${path.join('.')}`);
}

/** What a person sets on the license. */
async function byHand(made: World, schedule: readonly Json[]): Promise<void> {
  const body = { id: 'ann@example.com', work_scheduler: { timezone: 'Europe/Warsaw', schedule } };
  expect(await callByHand(made.emulator, 'update_agent', body)).toBe(true);
  await made.clock.sleep(HOUR);
}

const item = (day: string, start: string, enabled = true): Json => ({ day, enabled, start, end: '17:00' });

function judged(found: readonly Difference[]): readonly DriftItem[] {
  const settings = { failOn: 'warning', severity: [], ignore: [] } as const;
  const { judged: all } = judge(found, { target: 't', settings, today: '2026-01-09', addresses: [] });
  return all.map((each) => ({ ...each, first_seen: '' }));
}

async function accepted(made: World, text: string): Promise<{ readonly text: string; readonly of: Acceptance }> {
  const input = inputOf(text, made.clock.now());
  const desired = await desiredAt(text, made.clock.now());
  const { live, recovery } = await made.settled(desired);
  const ledger = foldLedger(await made.ledger.read());
  const again = ({ desired: other, moved }: LoadedManifest): readonly Difference[] =>
    other === null
      ? []
      : differencesOf(compare({ desired: other, live, ledger, moved, recovery, options: EVERYTHING }), () => true);
  let after = text;
  const of = await accept(judged(await differences(made, text)), [], {
    input,
    into: ANYWHERE,
    variables: {},
    license: { desired, live, ledger, recovery, options: EVERYTHING },
    again,
    newError: () => null,
    put: async (texts) => {
      after = texts[0]?.text ?? after;
    },
  });
  return { text: after, of };
}

describe('a date that passes', () => {
  test.each([
    ['an own schedule', OWN],
    ['a named schedule', NAMED],
  ])('is due before, on and after the day, and never drift: %s', async (_, text) => {
    // The Thursday before: the next one is still a week away.
    const made = await applied(text, BEGIN - 4 * DAY + 10 * HOUR);
    expect(await told(made, text)).toEqual([]);
    await until(made, BEGIN - 3 * DAY);
    expect(await told(made, text)).toEqual(['pending due work_scheduler.thursday']);
    await apply(made, text);
    expect(await told(made, text)).toEqual([]);
    // The day before, the day itself, and the day after it.
    await until(made, BEGIN + 2 * DAY);
    expect(await told(made, text)).toEqual([]);
    await until(made, BEGIN + 3 * DAY);
    expect(await told(made, text)).toEqual([]);
    await until(made, BEGIN + 4 * DAY);
    expect(await told(made, text)).toEqual(['pending due work_scheduler.thursday']);
    expect(judged(await differences(made, text)).map(({ severity }) => severity)).toEqual(['info']);
    await apply(made, text);
    expect(await told(made, text)).toEqual([]);
  });

  test('passes at midnight of the zone, and not of UTC', async () => {
    const made = await applied(OWN, BEGIN);
    // Warsaw is an hour ahead: its Friday begins at 23:00 of Thursday in UTC.
    await until(made, Date.UTC(2026, 0, 8, 22, 59));
    expect(await told(made, OWN)).toEqual([]);
    await until(made, Date.UTC(2026, 0, 8, 23));
    expect(await told(made, OWN)).toEqual(['pending due work_scheduler.thursday']);
  });

  test('passes at midnight after the clock has changed', async () => {
    const made = await applied(OWN, Date.UTC(2026, 2, 24, 12));
    // Since 29 March Warsaw is two hours ahead, and Monday the 30th is closed.
    await until(made, Date.UTC(2026, 2, 30, 21, 59));
    expect(await told(made, OWN)).toEqual([]);
    await until(made, Date.UTC(2026, 2, 30, 22));
    expect(await told(made, OWN)).toEqual(['pending due work_scheduler.monday']);
  });

  test('is due although the apply that knew the day before ended after midnight', async () => {
    const made = world({ settings: { approval: 'open' } });
    await until(made, Date.UTC(2026, 0, 8, 22, 59));
    const desired = await desiredAt(OWN, made.clock.now());
    const plan = await made.plan(desired);
    await made.clock.sleep(2 * HOUR);
    await made.apply(plan, desired);
    expect(await told(made, OWN)).toEqual(['pending due work_scheduler.thursday']);
  });

  test('is no excuse for an edit of the manifest: that is pending, and counts as before', async () => {
    const made = await applied(OWN, BEGIN);
    const edited = OWN.replace('monday, enabled: true, start: "09:00"', 'monday, enabled: true, start: "08:00"');
    expect(await told(made, edited)).toEqual(['pending changed work_scheduler.monday']);
    expect(judged(await differences(made, edited)).map(({ severity }) => severity)).toEqual(['warning']);
  });

  test('leaves what a person changed meanwhile as drift, and is no conflict', async () => {
    const made = await applied(OWN, BEGIN);
    await byHand(made, [item('monday', '07:00'), item('thursday', '09:00', false)]);
    await until(made, BEGIN + 4 * DAY);
    expect(await told(made, OWN)).toEqual([
      'drift changed work_scheduler.monday',
      'pending due work_scheduler.thursday',
    ]);
  });
});

describe('accepting', () => {
  test('a changed weekday with usual hours writes it, and leaves all dates as they are', async () => {
    const made = await applied(OWN, BEGIN);
    await byHand(made, [item('monday', '07:00'), item('thursday', '09:00', false)]);
    const { text, of } = await accepted(made, OWN);
    expect(of.left).toEqual([]);
    expect(text).toBe(OWN.replace('monday, enabled: true, start: "09:00"', 'monday, enabled: true, start: "07:00"'));
  });

  test('the hours of a holiday is refused, and names the date', async () => {
    const made = await applied(OWN, BEGIN);
    await byHand(made, [item('monday', '09:00'), item('thursday', '10:00')]);
    const { text, of } = await accepted(made, OWN);
    expect(text).toBe(OWN);
    expect(of.left.map(({ reason }) => reason)).toEqual([
      'these are the hours of 2026-01-08 (m.yaml:2), which are no usual hours: change that date',
    ]);
  });

  test('a weekday after a holiday that is still on the license takes the weekday only', async () => {
    const made = await applied(OWN, BEGIN);
    await byHand(made, [item('monday', '07:00'), item('thursday', '09:00', false)]);
    await until(made, BEGIN + 4 * DAY);
    const { text, of } = await accepted(made, OWN);
    expect(of.taken.map(({ path }) => path)).toEqual([['work_scheduler', 'monday']]);
    expect(text).toBe(OWN.replace('monday, enabled: true, start: "09:00"', 'monday, enabled: true, start: "07:00"'));
  });

  test('a weekday that a person added or removed writes that', async () => {
    const made = await applied(OWN, BEGIN);
    await byHand(made, [item('tuesday', '12:00'), item('thursday', '09:00', false)]);
    const { text, of } = await accepted(made, OWN);
    expect(of.left).toEqual([]);
    const after = await desiredAt(text, made.clock.now());
    expect(after.resources[0]?.spec['work_scheduler']).toEqual({
      timezone: 'Europe/Warsaw',
      schedule: [item('tuesday', '12:00'), item('thursday', '09:00', false)],
    });
    expect(text).toContain('calendars: [poland]');
  });

  test('the hours of a named schedule is refused', async () => {
    const made = await applied(NAMED, BEGIN);
    await byHand(made, [item('monday', '07:00'), item('thursday', '09:00', false)]);
    const { text, of } = await accepted(made, NAMED);
    expect(text).toBe(NAMED);
    expect(of.left.map(({ reason }) => reason)).toEqual([expect.stringContaining('schedule `office`')]);
  });
});

test('due is a kind of difference, so a project can raise it', () => {
  expect(DRIFT_KINDS).toContain('due');
});
