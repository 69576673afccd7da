// What the script of the page needs of the browser.

import { unshareJson } from '../../../base/shared-json.ts';

export interface PageElement {
  textContent: string | null;
  id: string;
  className: string;
  value?: string;
  hidden: boolean;
  /** Of a fold. */
  open?: boolean;
  /** Of a time. */
  readonly dateTime?: string;
  readonly scrollIntoView: () => void;
  readonly append: (...children: readonly PageElement[]) => void;
  readonly replaceChildren: (...children: readonly PageElement[]) => void;
  readonly addEventListener: (type: string, listener: (event: { readonly preventDefault: () => void }) => void) => void;
}

export interface PageDocument {
  readonly getElementById: (id: string) => PageElement | null;
  readonly createElement: (name: string) => PageElement;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
}

/** What follows `#` in the address of the page. */
export interface PageAddress {
  readonly read: () => string;
  /** The page is being opened; false when its server replaces the content. */
  readonly isOpening: () => boolean;
  /** Leaves no entry in the history. */
  readonly write: (text: string) => void;
  readonly onChange: (listener: () => void) => void;
}

/** The data of a form. */
export function dataIn(element: PageElement): unknown {
  return unshareJson(JSON.parse(element.textContent ?? ''));
}

/** An element of text: what is shown is never read as markup. */
export function elementOf(page: PageDocument, name: string, text: string): PageElement {
  const element = page.createElement(name);
  element.textContent = text;
  return element;
}
