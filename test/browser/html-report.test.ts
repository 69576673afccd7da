// The report of a plan as a reader meets it: in Chromium, from a file, light and dark, wide and narrow, on paper, by keyboard alone.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareJson, unshareJson } from '../../src/base/shared-json.ts';
import type { CoverageReport } from '../../src/features/coverage/report.ts';
import { coverageView } from '../../src/features/coverage/view.ts';
import type { DriftItem } from '../../src/features/drift/schema.ts';
import { fleetView } from '../../src/features/fleet/view.ts';
import { reportView } from '../../src/features/report/view.ts';
import { shownView } from '../../src/features/show/view.ts';
import { ask } from '../../src/features/ui/ask.ts';
import type { AskedRules } from '../../src/features/ui/rules-at.ts';
import type { TargetsReport } from '../../src/many/schema.ts';
import { manyFrame, targetsTable } from '../../src/many/view.ts';
import { plain } from '../../src/view/plain.ts';
import { htmlPage } from '../../src/view/writers/html.ts';
import { CLI } from '../cli/chatform.ts';
import { ITEMS, SEEN } from '../features/drift/example.ts';
import { driftRenderers } from '../features/drift/outputs.ts';
import { fleetCalled, fleetOf } from '../features/fleet/examples.ts';
import { AGENTS, CHATS, HOURS, TAGS } from '../features/report/examples.ts';
import { GROUP_MEMBERS, membersCalled, resourceCalled } from '../features/show/example.ts';
import { lookAt } from '../scenes/drift.ts';
import { reviewedImpact } from '../scenes/impact.ts';
import { AT } from '../scenes/outputs.ts';
import { tries } from '../tries.ts';
import { knownAfter, planPage } from '../view/html/input.ts';
import { targetsCalled } from '../view/html/targets.ts';
import { FOUND, launched } from './chromium.ts';
import { HOSTILE } from './hostile.ts';
import {
  askedIn,
  countOf,
  faintTexts,
  figuresOf,
  focused,
  foreignMarkup,
  hiddenFolds,
  hoverAll,
  overflow,
  shownAs,
  tabbed,
  textOf,
  tinyTexts,
  violations,
} from './page.ts';

if ('missing' in FOUND) console.warn(`The HTML report is not tested in a browser: ${FOUND.missing}.`);

/** Changes of the largest report. */
const MANY = tries(10_000, 2_000);

const EXAMPLE = fileURLToPath(new URL('../../examples/support-team', import.meta.url));
const NEXT = fileURLToPath(new URL('../view/html/next.yaml', import.meta.url));

/** A license as the example wants it, and then the plan of what comes next. */
async function richReport(folder: string): Promise<string> {
  const project = (await readFile(join(EXAMPLE, 'chatform.yaml'), 'utf8')).replace(
    '[manifest]',
    JSON.stringify([join(EXAMPLE, 'manifest')]),
  );
  const over = (...overlays: readonly string[]): Promise<void> =>
    writeFile(join(folder, 'chatform.yaml'), project.replace('[overlays/sandbox.yaml]', JSON.stringify(overlays)));
  const chatform = (...args: readonly string[]) =>
    execFileSync(process.execPath, [CLI, ...args], { cwd: folder, stdio: 'pipe' });
  const sandbox = join(EXAMPLE, 'overlays/sandbox.yaml');
  await over(sandbox);
  chatform('apply', '--yes', '--quiet');
  const state = join(folder, '.chatform/sandbox.json');
  // Whoever waits for approval gets no chats, and there would be no cover to see.
  const text = await readFile(state, 'utf8');
  await writeFile(state, text.replaceAll(/("awaiting_approval": ?)true/g, '$1false'));
  await over(sandbox, NEXT);
  chatform('plan', '--demand', '28d', '--report', 'html=plan.html');
  chatform('coverage', '--demand', '28d', '--report', 'html=cover.html');
  chatform('show', '--report', 'html=license.html');
  return join(folder, 'plan.html');
}

/** Every width in every scheme; the first two have each of them once. */
const LOOKS = [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
] as const;

/** Demand over cover of groups with these names. */
function manyPage(report: TargetsReport): string {
  return htmlPage({ ...manyFrame(report), body: targetsTable(report) });
}

function coverageNamed(names: readonly string[]): CoverageReport {
  const [target = ''] = names;
  const hours = Array.from({ length: 7 * 24 }, (_, hour) => hour % 24);
  const unstaffed = [{ text: 'Mon 09:00-10:00', hours: [9], chats: 3 }];
  const groups = names.map((each) => ({
    address: `group/${each}`,
    chats: 3,
    busiest: null,
    at_once: hours,
    slots: hours,
    waited: null,
    unstaffed,
    idle: [],
  }));
  const demand = { from: AT, to: AT, days: 28, groups, missing: names };
  const week = { view: 'files', timezone: 'Europe/Warsaw', from: AT, to: AT } as const;
  return { ...week, target, groups: [], findings: [], notes: names, demand };
}

/** A license whose rules were others before: turned round and with one more, then not known, then without the first. */
function withPast(side: AskedRules): AskedRules {
  const count = side.rules.length;
  const [first] = side.rules;
  if (first === undefined) throw new Error('the example has no rules');
  const turned = side.rules.map((_, place) => [count - 1 - place, count - 1 - place] as const);
  const former = { ...first, title: 'as it was', conditions: { url: { values: [{ value: '/cart' }] } } };
  const from = (day: string) => Date.parse(`2026-11-${day}T00:00:00Z`);
  const lists = [
    { from: from('03'), ranges: [[count, count] as const, ...turned], open: [], isAssumed: false },
    { from: from('10'), ranges: null, open: [], isAssumed: false },
    { from: from('15'), ranges: [[1, count - 1] as const], open: [side.rules[1]?.name ?? ''], isAssumed: true },
  ];
  return { ...side, readAt: from('25'), past: { rules: [former], lists } };
}

/** A run whose targets, messages and people say everything that they should not. */
function hostileFleet() {
  const reading = fleetCalled(HOSTILE.join(' '));
  const run = { ...reading.results.run, command: HOSTILE[0] };
  return { ...reading, results: { ...reading.results, run } };
}

describe.skipIf('missing' in FOUND)(`In a browser${'missing' in FOUND ? ` (skipped: ${FOUND.missing})` : ''}`, () => {
  let folder = '';
  let chrome: Browser;
  /** One for all tests: a new one starts processes, and they take longer than most tests. */
  let page: Page;
  const pages = { rich: '', cover: '', license: '', impact: '', hostile: '' };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-'));
    chrome = await launched();
    page = await chrome.newPage();
    pages.rich = await richReport(folder);
    pages.cover = join(folder, 'cover.html');
    pages.license = join(folder, 'license.html');
    // More chats would wait, and a group goes.
    pages.impact = join(folder, 'impact.html');
    await writeFile(pages.impact, planPage({ ...reviewedImpact(), at: AT, pictures: null }));
    pages.hostile = join(folder, 'hostile.html');
    await writeFile(pages.hostile, planPage(knownAfter(HOSTILE.join(' '), HOSTILE[0])));
  }, 120_000);

  afterAll(async () => {
    await chrome?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Shows `file`, and returns all that it complains of or asks anybody for. */
  async function open(
    file: string,
    how: { readonly width?: number; readonly scheme?: 'light' | 'dark' } = {},
  ): Promise<readonly string[]> {
    const { width = 1280, scheme = 'light' } = how;
    const heard: string[] = [];
    const own = pathToFileURL(file).href;
    page.removeAllListeners();
    // Nothing of the last file is left: what it asks for, where the mouse is, and how it is shown.
    await page.goto('about:blank');
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ media: 'screen', colorScheme: scheme });
    page.on('console', (message) => heard.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => heard.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => request.url() !== own && heard.push(`request: ${request.url()}`));
    page.on('requestfailed', (request) => heard.push(`refused: ${request.failure()?.errorText}`));
    await page.goto(own);
    await shownAs(page, width, scheme);
    return heard;
  }

  async function openAll(page: Page): Promise<void> {
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
  }

  const READABLE = { wide: 0, faint: [], tiny: [], cut: [], isRead: true, isMarked: true };

  /** What keeps a page from being read. With MEASURED, prints its numbers: contrast of texts and marks, overflow in pixels, elements. */
  async function readable(
    page: Page,
    { which, scheme, width }: { readonly which: string; readonly scheme: 'light' | 'dark'; readonly width: number },
  ) {
    const [wide, { text, mark, cut, elements }] = [await overflow(page), await figuresOf(page)];
    if (process.env['MEASURED'] !== undefined)
      console.log([which, scheme, width, text, mark, wide, elements].join('\t'));
    return {
      wide,
      faint: await faintTexts(page),
      tiny: await tinyTexts(page),
      cut,
      isRead: text >= 4.5,
      isMarked: mark >= 3,
    };
  }

  describe.each(['light', 'dark'] as const)('%s', (scheme) => {
    test.each([
      [1280, 'rich'],
      [390, 'rich'],
      [1280, 'impact'],
      [390, 'impact'],
      [1280, 'cover'],
      [390, 'cover'],
      [1280, 'license'],
      [390, 'license'],
    ] as const)('at %d pixels all of %s fits, can be read and is silent', async (width, which) => {
      const heard = await open(pages[which], { width, scheme });
      const folded = await overflow(page);
      await openAll(page);
      const found = await readable(page, { which, scheme, width });
      // All of it at once, so that a failure that comes once says what it was.
      expect({ ...found, folded, heard }).toEqual({ ...READABLE, folded: 0, heard: [] });
      const shots = process.env['SHOTS'];
      if (shots !== undefined) {
        await page.screenshot({ path: join(shots, `${which}-all-${scheme}-${width}.png`), fullPage: true });
        await page.reload();
        await page.screenshot({ path: join(shots, `${which}-${scheme}-${width}.png`), fullPage: true });
      }
    });
  });

  test('The form of a license says of a visitor what chatform says, and of one who cannot be what is wrong', async () => {
    const file = join(folder, 'asked.html');
    const markup = await readFile(pages.license, 'utf8');
    const [, data = ''] = /id="ask-data">(.*?)<\/script>/.exec(markup) ?? [];
    const side = withPast(unshareJson(JSON.parse(data)) as unknown as AskedRules);
    await writeFile(
      file,
      markup.replace(data, () => JSON.stringify(shareJson(side)).replaceAll('<', '\\u003c')),
    );
    const heard = await open(file);
    const hosts = [
      '',
      'https://northpine.example',
      'https://xn--bcher-kva.example',
      'https://fr.northpine.example',
      'nowhere',
    ];
    const paths = ['/', '/returns/new', '/cart', '/a%20b?q=1'];
    const visitor = fc.record({
      url: fc.tuple(fc.constantFrom(...hosts), fc.constantFrom(...paths)).map((parts) => parts.join('')),
      country: fc.constantFrom('', 'France', 'Österreich', 'Austria', 'Canada', 'Atlantis'),
      region: fc.constantFrom('', 'Quebec'),
      city: fc.constantFrom('', 'Vienna', 'Zürich'),
      // Nothing known, another list, nothing told, the list of now without its first rule, and now.
      time: fc.constantFrom(...[1, 5, 12, 20, 30].map((day) => `2026-11-${String(day).padStart(2, '0')}T10:00`)),
    });
    for (const question of fc.sample(visitor, { numRuns: tries(500, 25), seed: 7 })) {
      const answer = ask(side, question, 0);
      const told = 'wrong' in answer ? answer.wrong : [...answer.lines.flat(), answer.message].join('|');
      expect([question, await askedIn(page, question)]).toEqual([question, told]);
    }
    expect(heard).toEqual([]);
  });

  test('A page that was written at night says who is there when it is read, as its form does', async () => {
    const written = await readFile(pages.license, 'utf8');
    expect(written).toMatch(/<h2 id="now">At \w{3} \d\d:\d\d and the next 24 hours/);
    const [, readAt = ''] = /<time datetime="([^"]+)"/.exec(written) ?? [];
    const table = page.locator('[aria-label="Groups now"] tbody tr');
    const told = new Set<string>();
    const begin = Math.floor(Date.parse(readAt) / 86_400_000) * 86_400_000;
    for (const hours of [27, 34, 41]) {
      await page.clock.setFixedTime(begin + hours * 3_600_000);
      const heard = await open(pages.license);
      const rows = await table.evaluateAll((all: { cells: { textContent: string }[] }[]) =>
        all.map(({ cells }) => [...cells].slice(0, 2).map(({ textContent }) => textContent)),
      );
      const answered = (await askedIn(page, {})).split('|');
      const said = rows.map(([group = '', there = '']) => {
        const [names = ''] = answered[answered.indexOf(group) + 1]?.split('; no person') ?? [];
        return [hours, group, there, names.split(', ').sort().join(', ')];
      });
      expect(said).toEqual(
        said.map(([at, group, there]) => [at, group, there, String(there).split(', ').sort().join(', ')]),
      );
      expect(await page.locator('h2#now').textContent()).toBe('Now and the next 24 hours');
      expect(await page.locator('header p').first().textContent()).not.toContain(' at ');
      expect(heard).toEqual([]);
      told.add(JSON.stringify(said.map(([, , there]) => there)));
    }
    expect(told.size).toBe(3);
    await page.clock.setSystemTime(Date.now());
  });

  test('axe-core finds nothing in the page of a license, and nothing in it moves', async () => {
    for (const how of LOOKS.slice(0, tries(4, 2))) {
      await open(pages.license, how);
      await openAll(page);
      expect([how, await violations(page)]).toEqual([how, []]);
      expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    }
    expect(await readFile(pages.license, 'utf8')).not.toMatch(/@keyframes|transition:|animation:|scroll-behavior/);
  });

  test('The keyboard alone goes through the page of a license, in its order: folds, the form and the search', async () => {
    await open(pages.license);
    const { stops, meant, unmarked } = await tabbed(page);
    expect([stops, unmarked]).toEqual([meant, []]);
    await open(pages.license);
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open]').count()).toBeGreaterThan(0);
    await page.locator('#ask-url').focus();
    await page.keyboard.type('/returns');
    await page.keyboard.press('Enter');
    expect(await page.locator('#ask-answer').textContent()).toContain('Who answers in');
    await page.locator('#find-person').focus();
    await page.keyboard.type('zofia');
    const rows = page.locator('[aria-label="All people"] tbody tr').filter({ visible: true });
    expect([await rows.count(), await rows.first().textContent()]).toEqual([1, expect.stringContaining('Zofia')]);
    expect(await page.locator('#find-answer').textContent()).toBe('1 of 44 are shown.');
    expect(page.url()).toMatch(/#person=zofia$/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await rows.count()).toBe(44);
  });

  test('On a telephone the rows of a table are read without scrolling it, each cell with its title', async () => {
    const heard = await open(pages.license, { width: 390 });
    await openAll(page);
    const scrolled = `Array.from(document.querySelectorAll('.scroll')).filter((part) => part.querySelector('.matrix') === null && part.scrollWidth > part.clientWidth).map((part) => part.getAttribute('aria-label'))`;
    expect(await page.evaluate(scrolled)).toEqual([]);
    const groups = page.locator('[aria-label="All people"] tbody tr').first().locator('td').nth(1);
    const title = `getComputedStyle(document.querySelector('[aria-label="All people"] tbody td:nth-child(3)'), '::before').content`;
    expect([await page.evaluate(title), await groups.isVisible()]).toEqual(['"Groups: "', true]);
    await open(pages.license, { width: 1280 });
    expect([await page.evaluate(title), await overflow(page), heard]).toEqual(['none', 0, []]);
  });

  test('A search in the address of the page is done, and the matrix is saved as a file, without a network', async () => {
    const heard = await open(pages.license);
    await page.goto(`${pathToFileURL(pages.license).href}#person=orders+first`);
    await page.reload();
    const rows = page.locator('[aria-label="All people"] tbody tr').filter({ visible: true });
    const texts = await rows.allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(/Orders.*first|first.*Orders/);
    const isFormInSight = `(() => {
      const { top, bottom } = document.getElementById('find-form').getBoundingClientRect();
      return top > -1 && bottom <= innerHeight;
    })()`;
    expect(await page.evaluate(isFormInSight)).toBe(true);
    await page.evaluate("scrollTo(0, 0); location.hash = 'person=zofia'");
    await page.waitForFunction(isFormInSight);
    await openAll(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('a[download]').click()]);
    expect(download.suggestedFilename()).toBe('members.csv');
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^address,name,ownership,note,group\/\S+,group/);
    expect(heard.filter((line) => !line.includes('license.html') && !line.includes('data:text/csv'))).toEqual([]);
  });

  test('Every picture of a report fits a telephone and a screen, and can be read in both schemes', async () => {
    for (const [name, shown] of Object.entries({ CHATS, HOURS, TAGS, AGENTS })) {
      const file = join(folder, `${name}.html`);
      await writeFile(file, htmlPage(reportView(shown, { requests: {} })));
      for (const how of LOOKS.slice(0, tries(4, 2))) {
        const heard = await open(file, how);
        const found = { ...(await readable(page, { which: `report ${name}`, ...how })), heard };
        expect([name, how, found]).toEqual([name, how, { ...READABLE, heard: [] }]);
        const shots = process.env['SHOTS'];
        if (shots !== undefined)
          await page.screenshot({ path: join(shots, `${name}-${how.scheme}-${how.width}.png`), fullPage: true });
      }
    }
  });

  test('A page of drift, of a run, of members and of a resource fit a telephone and a screen, and can be read in both schemes', async () => {
    const others = {
      drift: driftRenderers.html(SEEN),
      targets: manyPage(targetsCalled('acme', 'bravo')),
      fleet: htmlPage(fleetView(fleetCalled('acme', 'bravo'))),
      members: htmlPage(shownView({ ...membersCalled('Ann'), members: GROUP_MEMBERS.both }, null)),
      resource: htmlPage(shownView(resourceCalled('Sales'), null)),
    };
    for (const [name, text] of Object.entries(others)) {
      const file = join(folder, `${name}.html`);
      await writeFile(file, text);
      for (const how of LOOKS.slice(0, tries(4, 2))) {
        const heard = await open(file, how);
        await openAll(page);
        const found = { wide: await overflow(page), faint: await faintTexts(page), tiny: await tinyTexts(page), heard };
        expect([name, how, found]).toEqual([name, how, { wide: 0, faint: [], tiny: [], heard: [] }]);
        const shots = process.env['SHOTS'];
        if (shots !== undefined)
          await page.screenshot({ path: join(shots, `${name}-${how.scheme}-${how.width}.png`), fullPage: true });
      }
    }
  });

  test('What is written in a name is read, and does nothing', async () => {
    const [item] = ITEMS;
    const drift = HOSTILE.map(
      (text, nth) => ({ ...item, address: `group/${nth}`, name: text, live: text }) as DriftItem,
    );
    const rows = HOSTILE.map((tag, place) => ({ keys: ['2026-10-19', tag], values: { chats: place + 1 } }));
    const others = {
      drift: driftRenderers.html(lookAt(drift, { target: HOSTILE[0] })),
      targets: manyPage({ ...targetsCalled(...HOSTILE), command: HOSTILE[0] }),
      fleet: htmlPage(fleetView(hostileFleet())),
      members: htmlPage(shownView({ ...membersCalled(HOSTILE.join(' ')), target: HOSTILE[0] }, null)),
      tags: htmlPage(
        reportView({ ...TAGS, target: HOSTILE[0], groups: [`group/${HOSTILE[1]}`], rows }, { requests: {} }),
      ),
      cover: htmlPage(coverageView(coverageNamed(HOSTILE), { requests: {} })),
    };
    for (const [name, text] of Object.entries(others)) await writeFile(join(folder, `hostile-${name}.html`), text);
    const files = Object.keys(others).map((name) => join(folder, `hostile-${name}.html`));
    for (const width of [1280, 390])
      for (const file of [pages.hostile, ...(width === 390 ? files : [])]) {
        const heard = await open(file, { width });
        await openAll(page);
        await hoverAll(page);
        const text = await textOf(page);
        for (const name of HOSTILE) expect(text).toContain(plain(name));
        expect(await foreignMarkup(page)).toEqual([]);
        expect(await page.evaluate('window.hit')).toBeUndefined();
        expect(await page.title()).toContain(plain(HOSTILE[0]));
        expect([file, await overflow(page)]).toEqual([file, 0]);
        expect([file, (await figuresOf(page)).cut]).toEqual([file, []]);
        expect(heard).toEqual([]);
      }
  });

  test('A script that got into the page anyway would not run, and a picture would not be fetched', async () => {
    const file = join(folder, 'injected.html');
    const text = await readFile(pages.rich, 'utf8');
    const evil =
      '<script>window.hit = 1</script><img src="https://evil.example/x" onerror="window.hit = 1"><p style="color:red" id="styled">x</p>';
    await writeFile(file, text.replace('<main', `${evil}<main`));
    const heard = await open(file);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    // The browser says what it was asked for, and that the policy of the page kept it from asking.
    expect(heard.filter((line) => /^re(quest|fused)/.test(line))).toEqual([
      'request: https://evil.example/x',
      expect.stringMatching(/^refused: .*csp/i),
    ]);
    expect(heard.filter((line) => line.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(3);
  });

  test('The keyboard reaches the content, every fold and every table that is scrolled, and each shows that it is reached', async () => {
    await open(pages.rich, { width: 390 });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({ tag: 'a', text: 'Skip to the content' });
    await page.keyboard.press('Enter');
    const folds = await page.locator('summary').filter({ visible: true }).count();
    const scrolled = await countOf(page, '.scroll:visible');
    const reached = { summary: 0, div: 0 };
    for (;;) {
      await page.keyboard.press('Tab');
      const { tag, outline } = await focused(page);
      if (tag === 'body' || tag === 'html') break;
      expect(outline).toBeGreaterThanOrEqual(2);
      if (tag === 'summary' || tag === 'div') reached[tag] += 1;
      if (reached.summary > folds) break;
    }
    expect(reached).toEqual({ summary: folds, div: scrolled });
    const first = page.locator('details.resource:not([open]) > summary').first();
    await first.focus();
    await page.keyboard.press('Enter');
    expect(await countOf(page, 'details.resource[open] > summary:focus')).toBe(1);
  });

  test('The lines of the order begin and end at the rules that they are about', async () => {
    await open(pages.rich);
    const gaps = await page.evaluate(`(() => {
      const middle = (element) => { const box = element.getBoundingClientRect(); return box.top + box.height / 2; };
      const [before, after] = [...document.querySelectorAll('.order ol')].map((list) => [...list.children].map(middle));
      const svg = document.querySelector('svg.lines');
      const box = svg.getBoundingClientRect();
      const onScreen = (y) => box.top + (y / svg.viewBox.baseVal.height) * box.height;
      return [...svg.querySelectorAll('.moves, .keeps')].map((path) => {
        const [from, to] = [path.getPointAtLength(0).y, path.getPointAtLength(path.getTotalLength()).y].map(onScreen);
        const near = (places, y) => Math.min(...places.map((place) => Math.abs(place - y)));
        return Math.max(near(before, from), near(after, to));
      });
    })()`);
    expect(gaps).toHaveLength(12);
    for (const gap of gaps as readonly number[]) expect(gap).toBeLessThan(4);
  });

  test('On paper nothing is folded, and nothing is dark', async () => {
    await open(pages.rich, { scheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await hiddenFolds(page)).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await faintTexts(page)).toEqual([]);
    const paper = await page.pdf({ format: 'A4' });
    expect(paper.length).toBeGreaterThan(10_000);
  });

  test(`${MANY} changes open`, async () => {
    const told = knownAfter('Ann');
    const [first] = told.plan.resource_changes;
    const changes = Array.from({ length: MANY }, (_, index) => ({
      ...first,
      address: `agent/a${index}@example.com`,
    }));
    const file = join(folder, 'many.html');
    await writeFile(
      file,
      planPage({ ...told, plan: { ...told.plan, resource_changes: changes as typeof told.plan.resource_changes } }),
    );
    const heard = await open(file);
    expect(await countOf(page, '.resource[id]')).toBe(MANY);
    expect(heard).toEqual([]);
  });

  test('A run over 10,000 targets opens, folded and unfolded, and its last target is found by its name', async () => {
    const file = join(folder, 'fleet.html');
    await writeFile(file, htmlPage(fleetView(fleetOf(10_000, 50))));
    const began = performance.now();
    const heard = await open(file, { width: 390 });
    const opened = performance.now();
    expect(await countOf(page, 'tbody th > code')).toBe(10_000);
    expect(await countOf(page, 'tbody th > code:visible')).toBe(400);
    await openAll(page);
    await page.locator('th', { hasText: 'tenant-09999' }).scrollIntoViewIfNeeded();
    if (process.env['MEASURED'] !== undefined)
      console.log(['fleet', opened - began, performance.now() - opened].map(String).join('\t'));
    expect([await overflow(page), heard]).toEqual([0, []]);
    // Many times what it takes: a page that hangs takes minutes.
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
