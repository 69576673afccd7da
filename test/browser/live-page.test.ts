// The page of `chatform ui` as its reader meets it in Chromium: files are saved below it, and it keeps what its reader was doing.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folder, type Running, start } from '../cli/chatform.ts';
import { FOUND, heardPage, launched } from './chromium.ts';
import { HOSTILE_NAMES } from './hostile.ts';
import { countOf, faintTexts, focused, overflow, tinyTexts } from './page.ts';

const PATIENCE = { timeout: 30_000 };

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets: { shop: { base_url: "emulator:license.json", ledger: ledger.ndjson, routing: { timezone: Europe/Warsaw, domain: shop.example } } }
`;

const AGENTS = HOSTILE_NAMES.map(
  (name, at) => `  a${at}@example.com: { name: ${JSON.stringify(name)}, max_chats_count: 4 }\n`,
);

const MANIFEST = `version: 1
agents:
${AGENTS.join('')}  ann@example.com: { name: Ann, max_chats_count: 4, awaiting_approval: false }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
`;

describe.skipIf('missing' in FOUND)('The live page', () => {
  let chrome: Browser;
  let page: Page;
  const heard: string[] = [];

  beforeAll(async () => {
    chrome = await launched();
    page = await heardPage(chrome, 'http://127.0.0.1:', heard);
  }, 60_000);

  afterAll(async () => {
    await chrome?.close();
  });

  /** The page of a project that was applied, in the browser. */
  async function opened(): Promise<{
    readonly save: (text: string) => Promise<void>;
    readonly running: Running;
  }> {
    const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST });
    expect((await start(['apply', '--yes', '-q'], { cwd }).ended).code).toBe(0);
    const running = start(['ui', '--no-open'], { cwd });
    await page.goto((await running.says('stdout', '/\n')).trim());
    await says('The files are those of');
    return { running, save: (text) => writeFile(join(cwd, 'manifest.yaml'), text) };
  }

  /** Waiting in the page itself would be code that its policy does not allow. */
  async function says(text: string): Promise<void> {
    await expect.poll(() => page.textContent('#live-says'), PATIENCE).toContain(text);
  }

  function textIn(id: string): Promise<string | null> {
    return page.textContent(`section[aria-labelledby="${id}"]`);
  }

  test('shows a mistake at its place and then the plan, and keeps what is unfolded, filled in, answered, focused and in sight', async () => {
    const { save, running } = await opened();
    heard.length = 0;
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.locator('#ask-url').fill('/pricing');
    await page.locator('#ask-country').fill('Poland');
    await page.getByRole('button', { name: 'Ask' }).click();
    const answer = await page.textContent('#ask-answer');
    expect(answer).toContain('Sales');
    const fold = page.locator('section[aria-labelledby="people"] details').first();
    await fold.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await fold.getAttribute('open')).not.toBeNull();
    const held = (): Promise<readonly [top: number, text: string]> =>
      page.evaluate('[document.activeElement.getBoundingClientRect().top, document.activeElement.textContent]');
    const [top, text] = await held();
    await save(`${MANIFEST}group: {}\n`);
    await says('The files have 1 error, so there is no plan: manifest.yaml:');
    await expect.poll(() => textIn('waiting'), PATIENCE).toContain('manifest.yaml:');
    expect(await textIn('waiting')).toContain('Not known: there is no plan.');
    expect(await page.getByRole('link', { name: 'Show where' }).getAttribute('href')).toBe('#waiting');
    expect(await textIn('rules')).toContain('/pricing');
    await save(MANIFEST.replace('name: Sales', 'name: Sales EU'));
    await says('The files are those of');
    await expect.poll(() => textIn('waiting'), PATIENCE).toContain('Sales EU');
    expect(await textIn('waiting')).toContain('1 to change');
    expect(await page.getByRole('link', { name: 'Show where' }).count()).toBe(0);
    expect(await page.locator('#ask-url').inputValue()).toBe('/pricing');
    expect(await page.locator('#ask-country').inputValue()).toBe('Poland');
    expect(await page.textContent('#ask-answer')).toBe(answer);
    expect(await fold.getAttribute('open')).not.toBeNull();
    const after = await held();
    expect(after[1]).toBe(text);
    expect(Math.abs(after[0] - top)).toBeLessThan(3);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await countOf(page, 'img, base, iframe, script[src], [onerror], [onmouseover]')).toBe(0);
    running.kill('SIGTERM');
    await says('chatform ui does not answer');
    expect((await running.ended).code).toBe(0);
    expect(heard.filter((line) => !line.includes('net::ERR_'))).toEqual([]);
  });

  test('reads the license again by keyboard alone, and fits every screen', async () => {
    await opened();
    await page.keyboard.press('Tab');
    expect((await focused(page)).text).toBe('Skip to the content');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({
      tag: 'button',
      text: expect.stringMatching(/^Read the license again \(\d+ requests\)$/),
    });
    expect((await focused(page)).outline).toBeGreaterThan(0);
    const readAt = () => page.locator('header time').first().getAttribute('datetime');
    const first = await readAt();
    await page.keyboard.press('Enter');
    await expect.poll(readAt, PATIENCE).not.toBe(first);
    expect((await focused(page)).tag).toBe('button');
    for (const [width, scheme] of [
      [390, 'dark'],
      [1280, 'light'],
      [1920, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await expect
        .poll(() => page.evaluate(`innerWidth === ${width} && matchMedia('(prefers-color-scheme: ${scheme})').matches`))
        .toBe(true);
      expect([width, scheme, await overflow(page), await faintTexts(page), await tinyTexts(page)]).toEqual([
        width,
        scheme,
        0,
        [],
        [],
      ]);
      if (process.env['SHOTS'] !== undefined)
        await page.screenshot({ path: join(process.env['SHOTS'], `live-${width}-${scheme}.png`) });
    }
  });
});
