// The script of the page. Bundled at build; the page allows it by its hash, and without a server it sends nothing.

import { tellAge } from './age.ts';
import { answerVisitors } from './ask-form.ts';
import type { PageAddress, PageDocument } from './elements.ts';
import { filterLicenses } from './license-filter.ts';
import { followServer, type LiveDocument, type LiveState } from './live.ts';
import { tellingNow } from './now.ts';
import { findPeople } from './people-search.ts';

interface EventSourceOf {
  readonly readyState: number;
  readonly close: () => void;
  readonly addEventListener: (type: string, listener: (event: { readonly data: string }) => void) => void;
}

declare const document: PageDocument & LiveDocument;
declare const location: { readonly hash: string; readonly pathname: string };
declare const history: { readonly replaceState: (state: null, title: string, url: string) => void };
declare const addEventListener: (type: 'hashchange', listener: () => void) => void;
declare const EventSource: new (address: string) => EventSourceOf;
declare const DOMParser: new () => { readonly parseFromString: (text: string, type: string) => LiveDocument };
declare const scrollBy: (across: number, down: number) => void;

/** Milliseconds between two looks at the clock. */
const OFTEN = 60_000;

/** Of a source of events. */
const CLOSED = 2;

/** Of the content that the page has now: of what was replaced, nothing is kept. */
let onAddress: readonly (() => void)[] = [];

let tellNow: (now: number) => void = () => {};

let isOpening = true;

const ADDRESS: PageAddress = {
  read: () => location.hash,
  isOpening: () => isOpening,
  write: (text) => history.replaceState(null, '', `#${text}`),
  onChange: (listener) => {
    onAddress = [...onAddress, listener];
  },
};

/** What answers in the content of the page, which a server may replace. */
function begin(): void {
  onAddress = [];
  answerVisitors(document, () => Date.now());
  filterLicenses(document, ADDRESS);
  findPeople(document, ADDRESS);
  tellNow = tellingNow(document);
  tellTime();
}

function tellTime(): void {
  tellAge(document, Date.now());
  tellNow(Date.now());
}

begin();
isOpening = false;
addEventListener('hashchange', () => {
  for (const listener of onAddress) listener();
});
setInterval(tellTime, OFTEN);
followServer(
  {
    document,
    follow: (onState, onLost) => {
      const source = new EventSource('events');
      source.addEventListener('message', ({ data }) => onState(JSON.parse(data) as LiveState));
      source.addEventListener('end', () => {
        source.close();
        onLost(true);
      });
      source.addEventListener('error', () => onLost(source.readyState === CLOSED));
    },
    load: async () => {
      const reply = await fetch(location.pathname);
      if (!reply.ok) throw new Error(`the page is not there: ${reply.status}`);
      return new DOMParser().parseFromString(await reply.text(), 'text/html');
    },
    read: async () => void (await fetch('read', { method: 'POST' })),
    scrollBy: (pixels) => scrollBy(0, pixels),
    inputEvent: () => new Event('input', { bubbles: true }),
  },
  begin,
);
