// What the script of the page needs of the browser.

export interface PageElement {
  textContent: string | null;
  readonly value?: string;
  hidden: boolean;
  readonly append: (...children: readonly PageElement[]) => void;
  readonly replaceChildren: (...children: readonly PageElement[]) => void;
  readonly addEventListener: (type: string, listener: (event: { readonly preventDefault: () => void }) => void) => void;
}

export interface PageDocument {
  readonly getElementById: (id: string) => PageElement | null;
  readonly createElement: (name: string) => PageElement;
}

/** An element of text: what is shown is never read as markup. */
export function elementOf(page: PageDocument, name: string, text: string): PageElement {
  const element = page.createElement(name);
  element.textContent = text;
  return element;
}
