// The index of several licenses as a reader meets it in Chromium: filtered by form and by address, old, on a telephone and a screen.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatform } from '../cli/chatform.ts';
import { makeLicenses } from '../features/ui/three-licenses.ts';
import { tries } from '../tries.ts';
import { FOUND, heardPage, launched } from './chromium.ts';
import { faintTexts, overflow, shownAs, tinyTexts } from './page.ts';

const LOOKS = [
  { width: 390, scheme: 'dark' },
  { width: 1920, scheme: 'light' },
  { width: 390, scheme: 'light' },
  { width: 1920, scheme: 'dark' },
] as const;

describe.skipIf('missing' in FOUND)('The index of licenses', () => {
  let chrome: Browser;
  let page: Page;
  let cwd = '';
  let index = '';
  const heard: string[] = [];

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'licenses-'));
    await makeLicenses(cwd);
    await chatform(['show', '--all', '--report', 'html=index.html'], { cwd });
    index = pathToFileURL(join(cwd, 'index.html')).href;
    chrome = await launched();
    page = await heardPage(chrome, 'file:', heard);
  }, 60_000);

  afterAll(async () => {
    await chrome?.close();
    await rm(cwd, { recursive: true, force: true });
  });

  /** First cells of what both tables show. */
  function rows(): Promise<readonly string[]> {
    return page.evaluate(
      `[...document.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility()).map((row) => row.cells[0].textContent)`,
    );
  }

  /** As if it were opened for the first time: another fragment alone loads nothing. */
  async function open(fragment = ''): Promise<void> {
    await page.goto('about:blank');
    await page.goto(index + fragment);
  }

  test('is filtered by its form, which the address keeps for others', async () => {
    await open();
    expect(await rows()).toEqual([
      'carbon ! not read',
      'bravo ~ to look at',
      'acme ✓ no open needs',
      'carbon',
      'bravo',
    ]);
    await page.getByLabel('What they need').selectOption('suspended');
    expect(await rows()).toEqual(['bravo ~ to look at', 'bravo']);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await rows()).toHaveLength(5);
    await page.getByLabel('License, person or text').fill('ann@');
    await page.getByLabel('Region').selectOption('eu');
    expect(await rows()).toEqual(['acme ✓ no open needs']);
    expect(await page.getByRole('status').textContent()).toBe(
      '1 of 3 licenses.Ann (ann@example.com): 2 licenses, bravo, acme',
    );
    const sent = new URL(page.url()).hash;
    expect(sent).toBe('#text=ann%40&label.region=eu');
    await page.getByRole('status').getByRole('link', { name: 'acme' }).click();
    expect([await page.title(), await page.locator('#find-answer').textContent()]).toEqual([
      expect.stringContaining('acme'),
      '1 of 2 are shown.',
    ]);
    await open(sent);
    expect(await rows()).toEqual(['acme ✓ no open needs']);
    await page.evaluate("location.hash = 'text=carb'");
    await page.waitForFunction("document.getElementById('filter-text').value === 'carb'");
    expect(await rows()).toEqual(['carbon ! not read', 'carbon']);
    // A link within the page is no filter.
    await page.evaluate("location.hash = 'needs'");
    expect(await page.getByLabel('License, person or text').inputValue()).toBe('carb');
    await page.getByRole('link', { name: 'carbon' }).click();
    expect(await page.title()).toContain('carbon');
  });

  test('says how old it is once a night passed without a new one, and leads on', async () => {
    await open();
    expect(await page.locator('.stale').count()).toBe(0);
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    await page.clock.setFixedTime(hours(26));
    await open();
    expect(await page.locator('.stale').textContent()).toBe('Read 26 hours ago: the license may have changed since.');
    await page.clock.setFixedTime(hours(75));
    await page.getByRole('link', { name: 'bravo' }).click();
    expect(await page.locator('.stale').textContent()).toBe('Read 3 days ago: the license may have changed since.');
  });

  test('fits a sheet of A4, without the form', async () => {
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    await open();
    expect([await overflow(page), await page.locator('#filter-form').isVisible()]).toEqual([0, false]);
  });

  test('fits a telephone and a wide screen, and can be read in both schemes', async () => {
    for (const { width, scheme } of LOOKS.slice(0, tries(4, 2))) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ media: 'screen', colorScheme: scheme });
      await open();
      await shownAs(page, width, scheme);
      const found = { wide: await overflow(page), faint: await faintTexts(page), tiny: await tinyTexts(page), heard };
      expect([width, scheme, found]).toEqual([width, scheme, { wide: 0, faint: [], tiny: [], heard: [] }]);
    }
  });
});
