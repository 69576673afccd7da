// A page in a browser in; what a reader of it meets, out. What runs inside of the page is written here and nowhere else, as text: the rest of the tests
// knows no DOM.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Waits until the page, whose window a new process paints, is as wide and as dark as was asked for, and has its fonts. */
export async function shownAs(page: Page, width: number, scheme: 'light' | 'dark'): Promise<void> {
  await page.waitForFunction(`innerWidth === ${width} && matchMedia('(prefers-color-scheme: ${scheme})').matches`);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** How the page strays beyond its window, apart from what is scrolled by itself. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

/** Texts in sight that are hard to read, as the browser has painted them. */
export function faintTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const colour = (text) => {
      const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
      return { r, g, b, a };
    };
    const light = ({ r, g, b }) => {
      const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (element) => {
      for (let each = element; each !== null; each = each.parentElement) {
        const found = colour(getComputedStyle(each).backgroundColor);
        if (found.a > 0) return found;
      }
      return { r: 255, g: 255, b: 255 };
    };
    const faint = [];
    for (const element of document.querySelectorAll('body *:not(svg *)')) {
      if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
      if (!element.checkVisibility()) continue;
      const [one, other] = [light(colour(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
      const contrast = (one + 0.05) / (other + 0.05);
      if (contrast < 4.5) faint.push(contrast.toFixed(2) + ' ' + element.className + ' ' + element.textContent.slice(0, 40));
    }
    return faint;
  })()`);
}

/** What a page shows, as the browser has painted it: the lowest contrasts of texts and of marks in pictures, pictures' texts that are cut off, and elements. */
export interface PageFigures {
  readonly text: number;
  readonly mark: number;
  readonly cut: readonly string[];
  readonly elements: number;
}

/** Lines of a grid are no marks: nothing is read from them. */
export function figuresOf(page: Page): Promise<PageFigures> {
  return page.evaluate(`(() => {
    const colour = (text) => {
      const [r, g, b, a = 1] = (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
      return { r, g, b, a };
    };
    const light = ({ r, g, b }) => {
      const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (element) => {
      for (let each = element; each !== null; each = each.parentElement) {
        const found = colour(getComputedStyle(each).backgroundColor);
        if (found.a > 0) return found;
      }
      return { r: 255, g: 255, b: 255 };
    };
    const contrast = (one, other) => {
      const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
      return (high + 0.05) / (low + 0.05);
    };
    const isText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const all = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility());
    const texts = all.filter((element) => isText(element) && (element.closest('svg') === null || element.localName === 'text'));
    const marks = [...document.querySelectorAll('svg.demand :is(rect,path), svg.chart rect')].filter((mark) => mark.checkVisibility());
    const drawn = (mark) => {
      const { fill, stroke } = getComputedStyle(mark);
      return colour(fill === 'none' ? stroke : fill);
    };
    // A text of a picture stands on the last shape below its middle.
    const under = (text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const below = [...text.closest('svg').querySelectorAll('rect')].filter((shape) => {
        const box = shape.getBoundingClientRect();
        const isBefore = (shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
        return isBefore && getComputedStyle(shape).fill !== 'none' && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
      });
      return below.length === 0 ? behind(text) : colour(getComputedStyle(below.at(-1)).fill);
    };
    const least = (contrasts) => Math.round(Math.min(Infinity, ...contrasts) * 100) / 100;
    const inPicture = (text) => {
      const [own, frame] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
      return own.left >= frame.left - 1 && own.right <= frame.right + 1 && own.bottom <= frame.bottom + 1 && own.top >= frame.top - 1;
    };
    return {
      text: least(texts.map((text) => {
        const { fill, color } = getComputedStyle(text);
        return text.localName === 'text' ? contrast(colour(fill), under(text)) : contrast(colour(color), behind(text));
      })),
      mark: least(marks.map((mark) => contrast(drawn(mark), behind(mark.closest('svg'))))),
      cut: texts.filter((text) => text.localName === 'text' && !inPicture(text)).map((text) => text.textContent),
      elements: document.querySelectorAll('*').length,
    };
  })()`);
}

/** Texts in sight that are too small, in pixels on the screen, pictures included. */
export function tinyTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const tiny = [];
    for (const element of document.querySelectorAll('body *')) {
      if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
      if (!element.checkVisibility()) continue;
      const svg = element.closest('svg');
      const scale = (svg?.viewBox.baseVal.width ?? 0) === 0 ? 1 : svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      const size = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
      if (size < 10.5) tiny.push(size + ' ' + element.textContent.slice(0, 40));
    }
    return tiny;
  })()`);
}

/** Elements and attributes that a report has no use for. */
export function foreignMarkup(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const tags = new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'a', 'header', 'h1', 'h2', 'h3', 'h4', 'h5', 'p', 'nav', 'ul', 'ol', 'li', 'main', 'section', 'dl', 'dt', 'dd', 'div', 'span', 'bdi', 'code', 'em', 'strong', 'time', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'details', 'summary', 'pre', 'svg', 'text', 'desc', 'rect', 'line', 'path']);
    const names = /^(class|id|href|scope|role|tabindex|open|lang|charset|content|name|http-equiv|datetime|data-label|aria-(label|labelledby|hidden)|viewBox|preserveAspectRatio|[xyd]|[xy][12]|width|height|text-anchor)$/;
    const found = [];
    for (const element of document.querySelectorAll('*')) {
      if (!tags.has(element.localName)) found.push(element.localName);
      for (const { name, value } of element.attributes) {
        if (!names.test(name)) found.push(element.localName + ' ' + name);
        if (name === 'href' && !/^#[a-z0-9-]+$/.test(value)) found.push(value);
      }
    }
    return found;
  })()`);
}

/** Moves the pointer over everything that could react to it. */
export async function hoverAll(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    for (const element of document.querySelectorAll('summary, a, td, li'))
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true, cancelable: true, composed: true }));
  })()`);
}

/** All that is written on a page, folded or not. */
export async function textOf(page: Page): Promise<string> {
  return (await page.textContent('body')) ?? '';
}

export function countOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).count();
}

/** What has the focus: an element, and whether something shows it. */
export function focused(
  page: Page,
): Promise<{ readonly tag: string; readonly text: string; readonly outline: number }> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const { outlineWidth, outlineStyle } = getComputedStyle(element);
    return {
      tag: element.localName,
      text: element.textContent.slice(0, 60),
      outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
    };
  })()`);
}

/** Folds whose content no reader of the paper would see. */
export function hiddenFolds(page: Page): Promise<number> {
  return page.evaluate(
    `[...document.querySelectorAll('details > :not(summary)')].filter((inside) => inside.getBoundingClientRect().height === 0).length`,
  );
}

/** Fills the form of a license in and sends it; returns what the page says then. */
export function askedIn(page: Page, question: { readonly [field: string]: string }): Promise<string> {
  return page.evaluate(`(() => {
    for (const [field, value] of Object.entries(${JSON.stringify(question)})) document.getElementById('ask-' + field).value = value;
    document.querySelector('#ask-form button').click();
    const answer = document.getElementById('ask-answer');
    const parts = answer.querySelectorAll('dt, dd, pre');
    return parts.length === 0 ? answer.textContent : [...parts].map((part) => part.textContent).join('|');
  })()`);
}

const require = createRequire(import.meta.url);

/** What axe-core finds, with the first element of each. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(`axe.run(document).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ' ' + nodes.length + ' ' + nodes[0].html.slice(0, 200)))`);
}

/** Every stop of the Tab key, in order, as it shows that it is reached; parts of one element are one stop. `meant`: what can be reached, in the order of the page. */
export async function tabbed(page: Page): Promise<{
  readonly stops: readonly string[];
  readonly meant: readonly string[];
  readonly unmarked: readonly string[];
}> {
  await page.evaluate(`(() => {
    const all = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')];
    globalThis.stops = all.filter((element) => element.checkVisibility());
  })()`);
  const meant = await page.evaluate<string[]>('stops.map((element, at) => at + " " + element.localName)');
  const stops: string[] = [];
  const unmarked: string[] = [];
  for (let press = 0; press < 4 * meant.length + 20; press += 1) {
    await page.keyboard.press('Tab');
    const [stop, outline] = await page.evaluate<[string, number]>(`(() => {
      const at = stops.indexOf(document.activeElement);
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return [at < 0 ? '' : at + ' ' + stops[at].localName, outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)];
    })()`);
    if (stop === '') break;
    if (stops.at(-1) !== stop) stops.push(stop);
    if (outline < 2) unmarked.push(stop);
  }
  return { stops, meant, unmarked };
}
