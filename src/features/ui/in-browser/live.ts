// Follows the server of the page: shows the page as it becomes, and keeps what its reader has unfolded, filled in, focused and in sight.

/** What the server tells. */
export interface LiveState {
  readonly says: string;
  /** Of the content. */
  readonly version: string;
  /** That a reading of the license sends. */
  readonly requests: number;
  readonly isReading: boolean;
  /** The files have errors, which stand in the place of the plan. */
  readonly isWrong: boolean;
}

interface LiveElement {
  readonly id: string;
  readonly localName: string;
  className: string;
  readonly firstElementChild: LiveElement | null;
  readonly dataset: { version?: string };
  readonly children: ArrayLike<unknown>;
  textContent: string | null;
  hidden: boolean;
  open: boolean;
  value: string;
  checked: boolean;
  scrollLeft: number;
  readonly closest: (selector: string) => LiveElement | null;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly getBoundingClientRect: () => { readonly top: number };
  readonly replaceWith: (other: LiveElement) => void;
  readonly addEventListener: (type: string, listener: () => void) => void;
  readonly dispatchEvent: (event: object) => boolean;
  readonly requestSubmit: () => void;
  readonly focus: (how: { readonly preventScroll: true }) => void;
}

export interface LiveDocument {
  title: string;
  readonly activeElement: LiveElement | null;
  readonly getElementById: (id: string) => LiveElement | null;
  readonly querySelector: (selector: string) => LiveElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<LiveElement>;
}

/** What following needs of the browser. */
export interface LiveBrowser {
  readonly document: LiveDocument;
  /** Calls back with each state, and when the server does not answer; `isOver`: and will not. */
  readonly follow: (onState: (state: LiveState) => void, onLost: (isOver: boolean) => void) => void;
  readonly load: () => Promise<LiveDocument>;
  readonly read: () => Promise<void>;
  readonly scrollBy: (pixels: number) => void;
  /** An event that goes up from a field. */
  readonly inputEvent: () => object;
}

/** Does nothing in a page without a server. `restart`: begins with all that the page has. */
export function followServer(browser: LiveBrowser, restart: () => void): void {
  const { document, follow, load, read } = browser;
  const bar = document.getElementById('live');
  const says = document.getElementById('live-says');
  const button = document.getElementById('live-read');
  const where = document.getElementById('live-where');
  if (bar === null || says === null || button === null || where === null) return;
  let wanted = bar.dataset.version;
  let isLoading = false;
  let isIdle = true;

  async function showNewest(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      while (bar !== null && wanted !== bar.dataset.version) {
        const version = wanted;
        replaceContent(browser, await load(), restart);
        if (version !== undefined) bar.dataset.version = version;
      }
    } finally {
      isLoading = false;
    }
  }

  /** A button that is disabled would lose the focus. */
  function allow(isAllowed: boolean): void {
    isIdle = isAllowed;
    button?.setAttribute('aria-disabled', String(!isAllowed));
  }

  bar.hidden = false;
  button.addEventListener('click', () => {
    if (isIdle) void read().catch(() => {});
  });
  follow(
    (state) => {
      says.textContent = state.isReading ? 'The license is being read.' : state.says;
      button.textContent = `Read the license again (${state.requests} requests)`;
      bar.className = state.isWrong ? 'live wrong' : 'live';
      where.hidden = !state.isWrong;
      allow(!state.isReading);
      wanted = state.version;
      void showNewest().catch(() => {});
    },
    (isOver) => {
      says.textContent = isOver
        ? 'This page does not follow the files any more: another window does, or chatform ui has ended.'
        : 'chatform ui does not answer: this is what it said last.';
      allow(false);
    },
  );
}

/** What a reader has done to a page. */
interface Held {
  readonly folds: ReadonlyMap<string, boolean>;
  readonly fields: ReadonlyMap<string, Pick<LiveElement, 'value' | 'checked'>>;
  readonly scrolled: ReadonlyMap<string, number>;
  readonly isAnswered: boolean;
  readonly focus: string | null;
  /** A heading that is in sight, and where. */
  readonly sight: readonly [id: string, top: number] | null;
}

function replaceContent(browser: LiveBrowser, next: LiveDocument, restart: () => void): void {
  const { document, scrollBy, inputEvent } = browser;
  const held = heldIn(document);
  for (const part of ['body > header', 'body > nav', 'body > main']) {
    const [old, other] = [document.querySelector(part), next.querySelector(part)];
    if (old !== null && other !== null) old.replaceWith(other);
  }
  document.title = next.title;
  restart();
  for (const [key, fold] of keyed(document, 'details')) fold.open = held.folds.get(key) ?? fold.open;
  for (const field of document.querySelectorAll(FIELDS)) {
    const filled = held.fields.get(field.id);
    if (filled === undefined || (filled.value === field.value && filled.checked === field.checked)) continue;
    field.value = filled.value;
    field.checked = filled.checked;
    field.dispatchEvent(inputEvent());
  }
  if (held.isAnswered) document.getElementById('ask-form')?.requestSubmit();
  for (const [key, region] of keyed(document, '.scroll')) region.scrollLeft = held.scrolled.get(key) ?? 0;
  const focused = held.focus === null ? undefined : keyed(document, FOCUSABLE).get(held.focus);
  focused?.focus({ preventScroll: true });
  if (held.sight === null) return;
  const [id, top] = held.sight;
  const heading = document.getElementById(id);
  if (heading !== null) scrollBy(heading.getBoundingClientRect().top - top);
}

const FIELDS = 'main :is(input, select, textarea)[id]';
/** Of the text that an element is known by. */
const LONGEST = 80;
const FOCUSABLE = ':is(nav, main) :is(a, button, input, select, textarea, summary, [tabindex])';

function heldIn(document: LiveDocument): Held {
  const active = document.activeElement;
  const headings = [...document.querySelectorAll('main :is(h2, h3, h4, h5)[id]')];
  const placed = headings.map((each) => [each.id, each.getBoundingClientRect().top] as const);
  return {
    folds: new Map([...keyed(document, 'details')].map(([key, { open }]) => [key, open])),
    fields: new Map([...document.querySelectorAll(FIELDS)].map(({ id, value, checked }) => [id, { value, checked }])),
    scrolled: new Map([...keyed(document, '.scroll')].map(([key, { scrollLeft }]) => [key, scrollLeft])),
    isAnswered: (document.getElementById('ask-answer')?.children.length ?? 0) > 0,
    focus: [...keyed(document, FOCUSABLE)].find(([, each]) => each === active)?.[0] ?? null,
    sight: placed.findLast(([, top]) => top <= 100) ?? null,
  };
}

/** Elements by their section, what they are called, and which one of this name they are: the same in the page before and after. */
function keyed(document: LiveDocument, selector: string): ReadonlyMap<string, LiveElement> {
  const found = new Map<string, LiveElement>();
  const counts = new Map<string, number>();
  for (const element of document.querySelectorAll(selector)) {
    const section = element.closest('section')?.getAttribute('aria-labelledby') ?? '';
    const called = element.localName === 'details' ? element.firstElementChild : element;
    const name = element.id || element.getAttribute('aria-label') || called?.textContent?.slice(0, LONGEST) || '';
    const key = `${section} ${element.localName} ${name}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    found.set(`${key} ${nth}`, element);
  }
  return found;
}
