// The page of a license, as `show --report html=FILE` writes it: what it says in which order, and what it must not say.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/model.ts';
import { unshareJson } from '../../../src/base/shared-json.ts';
import { answerOf } from '../../../src/features/explain/answer.ts';
import { ask } from '../../../src/features/ui/ask.ts';
import type { AskedRules } from '../../../src/features/ui/rules-at.ts';
import { sideAt } from '../../../src/features/ui/rules-at.ts';
import { seen } from '../../../src/routing/visitor.ts';
import { chatform, folder } from '../../cli/chatform.ts';
import { virtualClock } from '../../world.ts';

const LICENSE = {
  owner: { id: 'zoe@example.com', name: 'Zoe' },
  agents: [{ id: 'carl@example.com', name: 'Carl <b>' }],
};

const PROJECT = `version: 1
manifest: [manifest.yaml]
defaults: { api_version: "3.6", may_approve: true, routing: { timezone: Europe/Warsaw, domain: shop.example }, drift: { ignore: [{ address: tag/vip, reason: trial, until: 2026-01-31 }] } }
targets: { production: { base_url: "emulator:license.json", ledger: ledger.ndjson } }
`;

const MANIFEST = `version: 1
agents: { ann@example.com: { name: Ann, max_chats_count: 4, awaiting_approval: false, work_scheduler: { timezone: Europe/Warsaw, schedule: { mon-fri: 09:00-17:00 } } } }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
  night: { name: Night, agent_priorities: {} }
tags: { vip: { groups: [sales] } }
auto_access:
  - { key: pricing, description: Prices, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: rest, description: All others, access: { groups: [night] }, conditions: { domain: { values: [{ value: shop.example }] } } }
`;

const FILES = { 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST, 'license.json': JSON.stringify(LICENSE) };

const NOTHING = { url: '', country: '', region: '', city: '', time: '' };

async function applied(clock?: Clock): Promise<string> {
  const cwd = await folder(FILES);
  const how = clock === undefined ? { cwd } : { cwd, clock };
  expect((await chatform(['apply', '--yes', '-q'], how)).code).toBe(0);
  return cwd;
}

async function pageIn(cwd: string, args: readonly string[] = [], clock?: Clock) {
  const how = clock === undefined ? { cwd } : { cwd, clock };
  const { code, stdout, stderr } = await chatform(['show', '--report', 'html=page.html', ...args], how);
  const markup = await readFile(join(cwd, 'page.html'), 'utf8');
  const text = markup
    .slice(markup.indexOf('<body>'))
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  return { code, stdout, stderr, markup, text };
}

/** What the form of a page answers from. */
function askedIn(markup: string): AskedRules {
  const [, data = ''] = /id="ask-data">(.*?)<\/script>/.exec(markup) ?? [];
  return unshareJson(JSON.parse(data)) as unknown as AskedRules;
}

/** Titles of the page, in their order. */
function titlesOf(markup: string): readonly string[] {
  return Array.from(markup.matchAll(/<h2 id="[^"]*">([^<]*)/g), ([, title = '']) => title.trim());
}

describe('The page of a license', () => {
  test('has what people at the desk ask, in their order, and says when all is well', async () => {
    const { markup, text, code } = await pageIn(await applied());
    expect(code).toBe(0);
    expect(titlesOf(markup)).toEqual([
      expect.stringMatching(/^At \w{3} \d\d:\d\d and the next 24 hours$/),
      'Needs a person',
      'The week',
      'What changed',
      'Which group a visitor reaches',
      'Waiting to be applied',
      'People',
      'To clean up',
    ]);
    expect(text).toContain('Emulator, emulator:license.json . Read at ');
    expect(text).toContain('Night nobody 0 nobody the whole week (168 h)');
    expect(text).toContain('tag/vip was allowed to differ from the files until 2026-01-31, and is reported again');
    expect(text).toMatch(/By hand since \w{3} \d+ \w+ \d{4} \d\d:\d\d 0 Nothing\./);
    expect(text).toContain('auto_access/pricing : if the URL contains /pricing: to Sales');
    expect(text).toContain('No changes.');
    const [, folded = ''] = /For the people who run chatform<\/h3>\s*<details[^>]*>(.*?)<h2/s.exec(markup) ?? [];
    expect(folded).toMatch(/<dt>requests<\/dt>.*Unmanaged \(not changed\)/s);
    expect(markup.match(/<dt>requests<\/dt>/g)).toHaveLength(1);
  });

  test('says who is there at the time of the reading, in each group, and claims no production', async () => {
    const cwd = await folder(FILES);
    const clock = () => virtualClock(Date.parse('2026-11-29T19:45:00Z'));
    expect((await chatform(['apply', '--yes', '-q'], { cwd, clock: clock() })).code).toBe(0);
    const same = ['api', 'create_group', '--data', '{"name":"Night","agent_priorities":{}}', '--write', '--yes'];
    expect((await chatform(same, { cwd, clock: clock() })).code).toBe(0);
    const { text } = await pageIn(cwd, [], clock());
    expect(text).toContain('; 3 groups have nobody at Sun 20:45.');
    expect(text).toContain('Night (night) nobody 0');
    expect(text).toContain('Sales closed at this hour 0 nobody Sun 20:45-Mon 09:00 (12.3 h)');
    expect(text).not.toMatch(/\bnow: |Production/);
  });

  test('tells in a sentence what was changed in the application, and where the files say otherwise', async () => {
    const cwd = await applied();
    const suspend = ['api', 'suspend_agent', '--data', '{"id":"ann@example.com"}', '--write', '--yes'];
    expect((await chatform(suspend, { cwd })).code).toBe(0);
    const { text } = await pageIn(cwd);
    expect(text).toMatch(
      /Ann: suspended in the application, so no chat is assigned .*an administrator, in the application manifest\.yaml:2.* Administrators of this license: Zoe\./,
    );
    const rename = ['api', 'update_group', '--data', '{"id":1,"name":"Sales EU"}', '--write', '--yes'];
    expect((await chatform(rename, { cwd })).code).toBe(0);
    const changed = await pageIn(cwd);
    expect(changed.text).toContain(
      'Sales EU: changed in the application: name is now Sales EU; the files say Night Text to send License production: Sales EU: changed in the application: name is now Sales EU; the files say Night (manifest.yaml:5). Please: keep it and change the files, or put it back.',
    );
    expect(changed.text).toMatch(
      /Where no name is given, the service does not say who\. Requests sent by chatform api +are listed below, with who/,
    );
    expect(changed.text).toContain('Waiting to be applied');
    expect((await chatform(['drift', '-q'], { cwd })).code).toBe(2);
    const { text: later } = await pageIn(cwd);
    expect(later).toMatch(
      /or put it back\. \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC the next apply puts it right; the people who edit the files can keep it/,
    );
    expect(later).toContain('the files what is so by now. 2026-01-31 the people who edit');
  });

  test('names who can act once, and none who waits, and tells a suspension also among what changed in the application', async () => {
    const nora = MANIFEST.replace(
      'agents: { ',
      'agents: { nora@example.com: { name: Nora Lind, role: administrator }, ',
    );
    const cwd = await folder({
      ...FILES,
      'manifest.yaml': nora,
      'chatform.yaml': PROJECT.replace(/, drift: .*\] \}/, ''),
    });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const waiting = await pageIn(cwd);
    expect(waiting.text).toContain('Nora Lind: waits for approval and gets no chats until then Text to send');
    expect(waiting.text).toContain('Severity What Who can Where');
    const suspend = ['api', 'suspend_agent', '--data', '{"id":"ann@example.com"}', '--write', '--yes'];
    expect((await chatform(suspend, { cwd })).code).toBe(0);
    const { text } = await pageIn(cwd);
    expect(text.match(/Administrators of this license: Zoe\./g)).toHaveLength(1);
    expect(text).toMatch(/By hand since [\w :]+ 1 Ann is suspended in the application; no file says so/);
  });

  test('makes an error of an approval for which a whole group waits, and tells dangers by names', async () => {
    const nora = MANIFEST.replace('agents: { ', 'agents: { nora@example.com: { name: Nora Lind }, ').replace(
      'Night, agent_priorities: {}',
      'Night, agent_priorities: { nora@example.com: first }',
    );
    const cwd = await folder({ ...FILES, 'manifest.yaml': nora });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    expect((await pageIn(cwd)).text).toContain(
      'error Nora Lind: waits for approval and gets no chats until then; no other person is in Night Text to send',
    );
    const without = nora.replace(/ {2}night: .*\n/, '').replace('[night]', '[sales]');
    await writeFile(join(cwd, 'manifest.yaml'), without);
    const { text } = await pageIn(cwd);
    const [, dangers = ''] = /Dangers \d+ (.*?) Changes \d/.exec(text) ?? [];
    expect(dangers).toContain('Night');
    expect(dangers).not.toMatch(/group\/|auto_access\/|`/);
  });

  test('tells a test that fails by what was changed in the application with its cause, and what ends it', async () => {
    const routed = `${MANIFEST}routes:
  - { name: prices, when: { url: https://shop.example/pricing }, expect: [sales] }
`;
    const cwd = await folder({ ...FILES, 'manifest.yaml': routed });
    const never = await pageIn(cwd);
    expect(never.text).toContain('Never applied: 6 changes of the files wait');
    expect(never.text).not.toContain('is expected');
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const listed = await chatform(['api', 'list_auto_accesses'], { cwd });
    const [first, second] = JSON.parse(listed.stdout);
    const data = JSON.stringify({ id: second.id, next_id: first.id });
    expect((await chatform(['api', 'update_auto_access', '--data', data, '--write', '--yes'], { cwd })).code).toBe(0);
    const { text } = await pageIn(cwd);
    expect(text).toMatch(
      /error The order of the rules was changed in the application: All others now comes before Prices\. Until then the test &quot;prices&quot; fails: \S+ reaches Night by rule All others, but Sales is expected .* the next apply puts it right; the people who edit the files can keep it manifest\.yaml:9 /,
    );
    expect(text).toContain('(will be overwritten) 1 the order of the rules');
  });

  test('names the rule that was moved to the end, and the line of a member that an overlay has', async () => {
    const late =
      '  - { key: late, description: Gifts, access: { groups: [sales] }, conditions: { url: { values: [{ value: /gifts }] } } }\n';
    const cwd = await folder({
      ...FILES,
      'manifest.yaml': MANIFEST + late,
      'chatform.yaml': PROJECT.replace('ledger: ledger.ndjson', 'ledger: ledger.ndjson, overlays: [dach.yaml]'),
      'dach.yaml': 'groups:\n  night:\n    agent_priorities:\n      ann@example.com: last\n',
    });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const [first, ...others] = JSON.parse((await chatform(['api', 'list_auto_accesses'], { cwd })).stdout);
    const write = async (action: string, data: object) => {
      const sent = await chatform(['api', action, '--data', JSON.stringify(data), '--write', '--yes'], { cwd });
      expect(sent).toMatchObject({ code: 0 });
    };
    for (const { id } of others) await write('update_auto_access', { id, next_id: first.id });
    await write('update_group', { id: 1, agent_priorities: { 'ann@example.com': 'first' } });
    const { text } = await pageIn(cwd);
    expect(text).toContain('Prices now comes after Gifts');
    expect(text).toContain('General not known never');
    expect(text).toMatch(/Ann in Night: first; the files say last .*dach\.yaml:4/);
    const { stdout } = await chatform(['drift', '--json'], { cwd });
    const items: readonly { readonly path: readonly string[]; readonly source: object }[] = JSON.parse(stdout).items;
    expect(items.find(({ path }) => path.length === 2)?.source).toMatchObject({ file: 'dach.yaml', line: 4 });
  });

  test('tells other hours in the files from an apply that did not run on its day', async () => {
    const cwd = await applied();
    const dated = '{ mon-fri: 09:00-17:00 }, except: [{ date: 2026-12-24, closed: true }]';
    const later = MANIFEST.replace('{ mon-fri: 09:00-17:00 }', dated).replace('09:00-17:00', '10:00-18:00');
    await writeFile(join(cwd, 'manifest.yaml'), later);
    const { text } = await pageIn(cwd, [], virtualClock(Date.parse('2026-12-01T09:00:00Z')));
    expect(text).toContain('The files have other hours for 1 agent: the people who run chatform can apply them.');
    expect(text).not.toContain('daily apply');
  });

  test('is made of the license alone where the files have errors, and says so', async () => {
    const cwd = await folder({
      ...FILES,
      'manifest.yaml': MANIFEST.replace('agents: { ', 'agents: { nora@example.com: { name: Nora }, '),
    });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const suspend = ['api', 'suspend_agent', '--data', '{"id":"ann@example.com"}', '--write', '--yes'];
    expect((await chatform(suspend, { cwd })).code).toBe(0);
    await writeFile(join(cwd, 'manifest.yaml'), `${MANIFEST}group: {}\n`);
    const { text, code, stdout, markup } = await pageIn(cwd);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing counts as declared');
    expect(text).toContain('Not known: there is no plan.');
    expect(text).toContain('What else was changed is not known: the license could not be compared.');
    expect(text).toContain('manifest.yaml:10');
    expect(text).toContain('Ann: suspended, so no chat is assigned; whether the files say so is not known');
    expect(text).toContain('Nora: waits for approval');
    expect(text).toContain('Ann is suspended in the application; whether the files say so is not known');
    expect(text).not.toMatch(/no longer in the files|in no file|Nothing was found/);
    expect(text).toContain('What the files say of it is not known: they have errors.');
    const side = askedIn(markup);
    const [today, later] = ['', '2099-01-05T10:00'].map((time) => ask(side, { ...NOTHING, time }, side.readAt));
    const doubt = ['Not certain', 'the files have errors, so hours, leave and members of another day are not known'];
    expect(today).not.toMatchObject({ lines: expect.arrayContaining([doubt]) });
    expect(later).toMatchObject({ lines: expect.arrayContaining([doubt]) });
  });

  test('says when the last apply ran, what a run did and why, and which rules never decide, with a text to send', async () => {
    const cwd = await folder(FILES);
    const late =
      '  - { key: late, access: { groups: [sales] }, conditions: { domain: { values: [{ value: shop.example }] } } }\n';
    const holiday = 'schedule: { mon-fri: 09:00-17:00 }, except: [{ date: 2026-12-24, closed: true }]';
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('schedule: { mon-fri: 09:00-17:00 }', holiday) + late);
    const at = (time: string) => ({ cwd, clock: virtualClock(Date.parse(time)) });
    const { code } = await chatform(['apply', '--yes', '-q', '--reason', 'opening'], at('2026-12-14T08:00:00Z'));
    expect(code).toBe(0);
    const { text } = await pageIn(cwd, [], at('2026-12-14T09:00:00Z').clock);
    expect(text).toContain(
      'The last apply ended on Mon 14 December 2026 09:00: the hours are those of Mon 14 December 2026 to Sun 20 December 2026. The next other hours begin on',
    );
    expect(text).toMatch(/Mon 14 December 2026 09:00: opening \(apply [^)]+\) 7 added/);
    const never = 'never decides: it has the same conditions as auto_access/rest, which is asked before it';
    expect(text).toContain(`One rule never decides: it is grey, with the reason.`);
    expect(text).toContain(
      `It ${never} manifest.yaml:10 Text to send License production: the rule auto_access/late says: if the domain contains shop.example: to Sales; it ${never} (manifest.yaml:10). Please:`,
    );
    const overdue = await pageIn(cwd, [], at('2026-12-20T09:00:00Z').clock);
    expect(overdue.text).toContain('09:00: the hours of 1 agent are not those of');
  });

  test('answers for a time of the last weeks as explain did then', async () => {
    const cwd = await folder(FILES);
    const begin = Date.parse('2026-11-02T08:00:00Z');
    const at = (days: number) => ({ cwd, clock: virtualClock(begin + days * 86_400_000) });
    const urls = ['https://shop.example/pricing', 'https://shop.example/', 'https://other.example/prices'];
    const explained: unknown[] = [];
    const explain = async (days: number) => {
      for (const url of urls) {
        const { stdout } = await chatform(['explain', '--url', url, '--on', 'live', '--json'], at(days));
        const [{ decided_by, groups, also_match }] = JSON.parse(stdout).sides;
        explained.push([
          days,
          url,
          decided_by,
          groups,
          also_match.map(({ position }: { position: number }) => position),
        ]);
      }
    };
    const edits = [
      MANIFEST,
      MANIFEST.replace('value: /pricing', 'value: /price'),
      MANIFEST.replace(/^ {2}- \{ key: pricing.*\n/m, ''),
    ];
    for (const [index, manifest] of edits.entries()) {
      await writeFile(join(cwd, 'manifest.yaml'), manifest);
      expect((await chatform(['apply', '--yes', '-q', '--acknowledge', 'deletes'], at(index * 7))).code).toBe(0);
      await explain(index * 7 + 1);
    }
    await chatform(['show', '--report', 'html=page.html'], at(20));
    const markup = await readFile(join(cwd, 'page.html'), 'utf8');
    const side = askedIn(markup);
    const told = [1, 8, 15].flatMap((days) =>
      urls.map((url) => {
        const time = begin + days * 86_400_000;
        const held = sideAt(side, time);
        const compared = seen({ url }, side.assumptions);
        if ('wrong' in held || 'wrong' in compared) throw new Error('no answer');
        const { decided_by, groups, also_match } = answerOf(held.side, { described: { url }, compared, at: time });
        return [days, url, decided_by, groups, also_match.map(({ position }) => position)];
      }),
    );
    expect(told).toEqual(explained);
    expect(ask(side, { ...NOTHING, time: '2026-11-23T12:00' }, 0)).toMatchObject({
      lines: expect.arrayContaining([
        ['Sales', 'Ann'],
        ['Night', 'nobody'],
      ]),
      message: null,
    });
    expect(side.past.rules).toHaveLength(2);
    expect(ask(side, { ...NOTHING, url: '/', time: '2026-10-30T10:00' }, 0)).toEqual({
      wrong: 'The page has no rules of that time: they are known from 2026-11-02 09:00 on',
    });
    expect(markup).toContain('the rules of the last run before it answer. They are known from 2026-11-02 09:00 on.');
  });

  test('does not know the rules between a request by hand and the apply after it', async () => {
    const cwd = await folder(FILES);
    const begin = Date.parse('2026-11-02T08:00:00Z');
    const at = (days: number) => ({ cwd, clock: virtualClock(begin + days * 86_400_000) });
    const apply = async (days: number) => expect((await chatform(['apply', '--yes', '-q'], at(days))).code).toBe(0);
    await apply(0);
    const [first] = JSON.parse((await chatform(['api', 'list_auto_accesses'], at(3))).stdout);
    const data = JSON.stringify({ id: first.id, conditions: { url: { values: [{ value: '/price' }] } } });
    const update = ['api', 'update_auto_access', '--data', data, '--write', '--yes'];
    expect((await chatform(update, at(4))).code).toBe(0);
    await apply(8);
    const side = askedIn((await pageIn(cwd, [], at(12).clock)).markup);
    const said = ['03', '08', '11'].map((day) => {
      const answer = ask(side, { ...NOTHING, url: '/', time: `2026-11-${day}T12:00` }, 0);
      return 'wrong' in answer ? answer.wrong : answer.lines[0];
    });
    expect(said).toEqual([
      ['Rules', expect.stringMatching(/^as the run of 2026-11-02 09:00 left them/)],
      'The page has no rules of that time: the ledger does not tell what the run of 2026-11-06 09:00 left; they are known from 2026-11-10 09:00 on',
      ['Rules', expect.stringMatching(/^as the run of 2026-11-10 09:00 left them/)],
    ]);
  });

  test('has the hours of each day by the files, and those of today as the license has them', async () => {
    const cwd = await folder(FILES);
    const at = (time: string) => ({ cwd, clock: virtualClock(Date.parse(time)) });
    const answers = async (now: string, times: readonly string[]) => {
      const { markup, text } = await pageIn(cwd, [], at(now).clock);
      const side = askedIn(markup);
      const said = times.map((time) => {
        const answer = ask(side, { ...NOTHING, time }, 0);
        return 'wrong' in answer ? answer.wrong : answer.lines.find(([about]) => about === 'Sales')?.[1];
      });
      return { said, text };
    };
    const away = 'nobody; no person is at work until 2026-12-07 09:00';
    const days = ['2026-11-25T10:00', '2026-12-02T10:00', '2026-12-09T10:00'];
    expect((await chatform(['apply', '--yes', '-q'], at('2026-11-29T08:00:00Z'))).code).toBe(0);
    const leave = 'schedule: { mon-fri: 09:00-17:00 }, except: [{ from: 2026-12-02, to: 2026-12-04, closed: true }]';
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('schedule: { mon-fri: 09:00-17:00 }', leave));
    const early = await answers('2026-11-29T12:00:00Z', days.slice(1));
    expect(early.said).toEqual([away, 'Ann']);
    const unapplied = /later days have the hours of the files by date\. The license does not have those of Ann yet\./g;
    expect(early.text.match(unapplied)).toHaveLength(2);
    expect(early.text).toContain(
      'For another day, rules are those of the license; so are hours and members, with what',
    );
    const nameless = await pageIn(cwd, ['--without-people'], at('2026-11-29T12:00:00Z').clock);
    expect(nameless.text).toContain('The license does not have those of 1 person yet.');
    const late = await answers('2026-12-02T09:30:00Z', ['2026-12-02T11:00', '2026-12-03T11:00']);
    expect(late.said).toEqual(['Ann', away]);
    expect(late.text).toContain('Sales Ann 4');
    expect((await chatform(['apply', '--yes', '-q'], at('2026-11-29T13:00:00Z'))).code).toBe(0);
    const { said, text } = await answers('2026-11-29T14:00:00Z', days.slice(1));
    expect(said).toEqual([away, 'Ann']);
    expect(text).not.toMatch(unapplied);
    expect(text).toMatch(
      /Ann ann@example\.com 4 Sales \(first\) Mon-Fri 09:00-17:00 Wed 2 December 2026 to Fri 4 December 2026 off/,
    );
    expect(text).toMatch(/Ann \(first, 4 chats\): Mon-Tue 09:00-17:00/);
    const explain = ['explain', '--url', '/pricing', '--on', 'live', '--json', '--at'];
    const later = await chatform([...explain, '2026-12-09T10:00'], at('2026-11-29T14:00:00Z'));
    expect(JSON.parse(later.stdout).sides[0].reached[0].members).toMatchObject([{ name: 'Ann', at_work: true }]);
  });

  test('has the members and people of later days by the files, and those of now as the license has them', async () => {
    const clock = () => virtualClock(Date.parse('2026-11-30T08:00:00Z'));
    const week = 'max_chats_count: 4, awaiting_approval: false, work_scheduler: *week';
    const manifest = `version: 1
agents:
  ann@example.com: { name: Ann, max_chats_count: 4, awaiting_approval: false, work_scheduler: &week { timezone: Europe/Warsaw, schedule: { mon-sun: 09:00-17:00 } } }
  bob@example.com: { name: Bob, ${week} }
  dan@example.com: { name: Dan, until: 2026-12-05, ${week} }
  eve@example.com: { name: Eve, from: 2026-12-08, ${week} }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: { priority: first, until: 2026-12-01 }, bob@example.com: { priority: last, from: 2026-12-02, until: 2026-12-09 } } }
  night: { name: Night, agent_priorities: { dan@example.com: first, eve@example.com: normal, bob@example.com: supervisor } }
`;
    const cwd = await folder({ ...FILES, 'manifest.yaml': manifest });
    expect((await chatform(['apply', '--yes', '-q'], { cwd, clock: clock() })).code).toBe(0);
    const { markup, text } = await pageIn(cwd, [], clock());
    const side = askedIn(markup);
    const at = (time: string) => {
      const answer = ask(side, { ...NOTHING, time }, 0);
      if ('wrong' in answer) return answer.wrong;
      return ['Sales', 'Night'].map((group) => answer.lines.find(([about]) => about === group)?.[1]);
    };
    const until = (time: string): string => `nobody; no person is at work until ${time}`;
    expect(at('2026-11-30T10:00')).toEqual(['Ann', 'Dan']);
    expect(at('2026-12-02T10:00')).toEqual(['Bob', 'Dan']);
    expect(at('2026-12-06T10:00')).toEqual(['Bob', until('2026-12-08 09:00')]);
    expect(at('2026-12-08T10:00')).toEqual(['Bob', 'Eve']);
    expect(at('2026-12-10T10:00')).toEqual(['nobody', 'Eve']);
    expect(at('2026-12-05T18:00')).toEqual([until('2026-12-06 09:00'), until('2026-12-08 09:00')]);
    expect(text).toContain('Sales Ann 4');
    expect(text).toMatch(/People 5 .* Bob bob@example\.com 4 Night \(supervisor\)/);
  });

  test('has the seven days from today, with the days of the week in their order, and names next to the map', async () => {
    const clock = () => virtualClock(Date.parse('2026-11-27T14:00:00Z'));
    const cwd = await folder({
      ...FILES,
      'manifest.yaml': MANIFEST.replace(
        'ann@example.com: first',
        'ann@example.com: { priority: first, until: 2026-11-30 }',
      ),
    });
    expect((await chatform(['apply', '--yes', '-q'], { cwd, clock: clock() })).code).toBe(0);
    const { text, markup } = await pageIn(cwd, [], clock());
    expect(text).toContain('Seven days from Fri 27 November 2026, times of Europe/Warsaw.');
    const days = Array.from(markup.matchAll(/<text class="axis" x="0"[^>]*>([\w ]+)</g), ([, day]) => day);
    expect(days.slice(0, 7)).toEqual(['Fri 27', 'Sat 28', 'Sun 29', 'Mon 30', 'Tue 1', 'Wed 2', 'Thu 3']);
    expect(text).not.toMatch(/the clock skips it|loses all cover/);
    expect(text.indexOf('Nobody can get a chat')).toBeLessThan(text.indexOf('few chats at once'));
    expect(text).toMatch(
      /Sales, no cover 152 h .* Ann \(first, 4 chats\): Fri 09:00-17:00, Mon 09:00-17:00 .*What changed/,
    );
    expect(text).toContain('Who is there at another time, and where a visitor arrives: ask below .');
    expect(markup).toContain('<a href="#rules">ask below</a>');
    expect((await pageIn(cwd, ['--without-people'], clock())).text).not.toContain('(first, 4 chats)');
  });

  test('has the dates ahead from today on, with those who can get chats on the license', async () => {
    const clock = () => virtualClock(Date.parse('2026-11-29T10:00:00Z'));
    const week = '{ timezone: Europe/Warsaw, schedule: { mon-fri: 09:00-17:00 } }';
    const away = 'except: [{ date: 2026-11-26, closed: true }, { date: 2026-12-02, closed: true }] }';
    const bob = `  bob@example.com: { name: Bob, awaiting_approval: false, max_chats_count: 4, work_scheduler: ${week} }\n`;
    const manifest = MANIFEST.replace(
      'agents: { ann@example.com: { name: Ann',
      'agents:\n  ann@example.com: { name: Ann',
    )
      .replace('09:00-17:00 } } } }\n', `09:00-17:00 }, ${away} }\n${bob}`)
      .replace('ann@example.com: first', 'ann@example.com: first, bob@example.com: last');
    const cwd = await folder({ ...FILES, 'manifest.yaml': manifest });
    expect((await chatform(['apply', '--yes', '-q'], { cwd, clock: clock() })).code).toBe(0);
    const datesAhead = async () => / Dates ahead (.*?) What changed /.exec((await pageIn(cwd, [], clock())).text)?.[1];
    expect(await datesAhead()).toMatch(/^week of 2026-11-29: 2026-12-02 no group loses cover/);
    const suspend = ['api', 'suspend_agent', '--data', '{"id":"bob@example.com"}', '--write', '--yes'];
    expect((await chatform(suspend, { cwd, clock: clock() })).code).toBe(0);
    expect(await datesAhead()).toMatch(/^week of 2026-11-29: 2026-12-02 Sales: no cover Wed 09:00-17:00/);
  });

  test('has a row for each person, with groups, hours and what is not as usual, and the matrix as a file', async () => {
    const cwd = await folder({
      ...FILES,
      'manifest.yaml': MANIFEST.replace(
        'mon-fri: 09:00-17:00 }',
        'mon-fri: 09:00-17:00 }, except: [{ every: 01-01, to: 12-31, hours: 10:00-12:00 }]',
      ),
    });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const { text, markup } = await pageIn(cwd);
    expect(text).toMatch(
      /People 3 .* Ann ann@example\.com 4 Sales \(first\) Mon-Fri 09:00-17:00 \w{3} 1 January \d{4} to/,
    );
    expect(text).toContain('Carl &lt;b&gt; carl@example.com 6 at any time in no group, in no file');
    const [, data = ''] =
      /download="members\.csv" href="data:text\/csv;charset=utf-8;base64,([^"]*)"/.exec(markup) ?? [];
    const { stdout } = await chatform(['show', 'members', '--csv'], { cwd });
    expect(Buffer.from(data, 'base64').toString()).toBe(stdout);
  });

  test('collects what the license can do without, and says what it did not measure', async () => {
    const cwd = await folder({
      ...FILES,
      'manifest.yaml': `${MANIFEST}  - { key: again, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: gifts, until: 2026-01-31, access: { groups: [sales] }, conditions: { url: { values: [{ value: /gifts }] } } }
`,
    });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const { text } = await pageIn(cwd);
    const section = text.slice(text.lastIndexOf('To clean up'));
    expect(section).toMatch(/^To clean up 5 No visitor reaches it 1 .*group\/night.* manifest\.yaml:\d+/);
    expect(section).toMatch(/There twice 1 .*again.* manifest\.yaml:\d+/);
    expect(section).toMatch(
      /Over 2 .*gifts.* manifest\.yaml:\d+ tag\/vip was allowed to differ from the files until 2026-01-31/,
    );
    expect(section).toMatch(/Groups without members 1 Night: the rule rest sends chats to it Which groups had no chat/);
    expect(section).toContain('the page needs --demand 90d');
  });

  test('collects a rule of the license that never decides also where no file has it', async () => {
    const late =
      '  - { key: late, access: { groups: [sales] }, conditions: { domain: { values: [{ value: shop.example }] } } }\n';
    const cwd = await folder({ ...FILES, 'manifest.yaml': MANIFEST + late });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const cleanUpIn = async () => (await pageIn(cwd)).text.split('To clean up').at(-1) ?? '';
    const before = await cleanUpIn();
    expect(before.match(/auto_access\/late/g)).toHaveLength(1);
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST);
    expect(await cleanUpIn()).toContain('auto_access/late never decides: it has the same conditions as');
  });

  test('lists a rule and a group that were added by hand since the last apply, and a rule that hides others as a need', async () => {
    const cwd = await applied();
    const send = async (action: string, data: object) => {
      const request = ['api', action, '--data', JSON.stringify(data), '--write', '--yes'];
      const { code, stderr } = await chatform(request, { cwd });
      expect([code, stderr]).toEqual([0, expect.anything()]);
    };
    const before = await pageIn(cwd);
    expect(before.text).toMatch(/0 Nothing\. Of 1 object that no file has, nothing says since when/);
    await send('create_group', { name: 'Pop-up', agent_priorities: {} });
    const listed = JSON.parse((await chatform(['api', 'list_auto_accesses'], { cwd })).stdout);
    await send('add_auto_access', {
      description: 'All prices',
      access: { groups: [1] },
      conditions: { url: { values: [{ value: '/pric' }] } },
      next_id: listed[0].id,
    });
    const { text } = await pageIn(cwd);
    const [, hand = ''] = /By hand since (.*?) By runs/.exec(text) ?? [];
    expect(hand).toMatch(/The rule All prices is on the license, and no file has it; it was not there on/);
    expect(hand).toMatch(/The group Pop-up is on the license, and no file has it; it was not there on/);
    expect(text).toMatch(
      /error Prices never decides: no file has the rule &quot;All prices&quot;, which is asked before and takes all their visitors .*an administrator, in the application; the people who edit the files can keep it manifest\.yaml:8/,
    );
    expect(text.slice(text.lastIndexOf('To clean up'))).not.toContain('pricing');
  });

  test('tells alike requests by hand of a day once, and names who is in a membership', async () => {
    const cwd = await applied();
    const begin = Date.parse('2026-12-01T08:00:00Z');
    const at = (minutes: number) => ({ cwd, clock: virtualClock(begin + minutes * 60_000) });
    for (const [minutes, action] of ['suspend', 'unsuspend', 'suspend', 'unsuspend', 'suspend'].entries()) {
      const request = ['api', `${action}_agent`, '--data', '{"id":"ann@example.com"}', '--write', '--yes'];
      expect((await chatform(request, at(minutes))).code).toBe(0);
    }
    const last = '{"id":2,"agent_priorities":{"ann@example.com":"last"}}';
    expect((await chatform(['api', 'update_group', '--data', last, '--write', '--yes'], at(9))).code).toBe(0);
    const { text } = await pageIn(cwd, [], at(10).clock);
    const [, runs = ''] = /By runs of chatform in seven days (.*?) Which group a visitor reaches/.exec(text) ?? [];
    expect(runs.match(/\d\d:\d\d: (\d )?[Rr]equests? by hand, api \w+/g)).toEqual([
      '09:09: Request by hand, api update_group',
      '09:04: 3 requests by hand, api suspend_agent',
      '09:03: 2 requests by hand, api unsuspend_agent',
    ]);
    expect(text).toContain('Changed in the application: Ann in Sales: last; the files say first');
  });

  test('runs one script, its own, and shows markup in names as text', async () => {
    const { markup } = await pageIn(await applied());
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(markup) ?? [];
    expect(policy).toMatch(
      /^default-src &#39;none&#39;; style-src &#39;sha256-\S+; script-src &#39;sha256-[^ ']+&#39;; base/,
    );
    expect(markup.match(/<script>/g)).toHaveLength(1);
    expect(markup).not.toMatch(/Carl <b>/);
    expect(markup).not.toMatch(/<script(?! type="application\/json")[^>]* src/);
  });

  test('has no name of a person where that is asked for, and all else', async () => {
    const clock = () => virtualClock(Date.parse('2026-11-28T12:00:00Z'));
    const cwd = await applied(clock());
    const { markup, text } = await pageIn(cwd, ['--without-people'], clock());
    expect(titlesOf(markup)).not.toContain('People');
    expect(markup).not.toMatch(/\bAnn\b|ann@|carl@|zoe@/i);
    expect(text).toContain('agent/somebody');
    const side = askedIn(markup);
    const answer = ask(side, { ...NOTHING, time: '2026-11-30T10:00' }, 0);
    expect('lines' in answer && answer.lines).toContainEqual(['Sales', '1 person']);
    expect(text).toContain('auto_access/pricing : if the URL contains /pricing: to Sales');
    const wrong = PROJECT.replace('tag/vip', 'agnt/carl@example.com');
    await writeFile(join(cwd, 'chatform.yaml'), wrong);
    const failed = await pageIn(cwd, ['--without-people']);
    expect(failed.text).toContain('agnt/somebody&quot; does not have the right form');
    expect(failed.markup).not.toContain('carl@');
    await writeFile(join(cwd, 'chatform.yaml'), PROJECT);
    const refused = await chatform(['show', 'groups', '--without-people'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('for pages of licenses')]);
  });

  test('is asked for by nothing else: the document, the text and other pages of the command stay as they are', async () => {
    const cwd = await applied();
    const plain = await chatform(['show', '--json'], { cwd });
    const { stdout } = await chatform(['show', '--json', '--report', 'html=page.html'], { cwd });
    const { requests_sent: _, ...shown } = JSON.parse(stdout);
    const { requests_sent: __, ...without } = JSON.parse(plain.stdout);
    expect(shown).toEqual(without);
    await chatform(['show', 'groups', '--report', 'html=groups.html'], { cwd });
    expect(await readFile(join(cwd, 'groups.html'), 'utf8')).not.toContain('<script');
  });
});
