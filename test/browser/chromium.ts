// The browser of these tests: a Chromium that the machine has or gets, and a page of it that tells what it complains of and asks others for.

import { type Browser, chromium, type Page } from 'playwright-core';
import { browser as findBrowser } from '../../scripts/browser.ts';

export const FOUND = await findBrowser();

/** Its sandbox wants what a container seldom gives; the pages are our own. */
export function launched(): Promise<Browser> {
  return chromium.launch({
    executablePath: 'path' in FOUND ? FOUND.path : '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

/** A page that adds to `heard` what it complains of, and every request beyond `own`, the beginning of its addresses. */
export async function heardPage(chrome: Browser, own: string, heard: string[]): Promise<Page> {
  const page = await chrome.newPage();
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(error.message));
  page.on('request', (request) => request.url().startsWith(own) || heard.push(request.url()));
  return page;
}
