// The text of a report in; its elements out, by the few rules that a report keeps: every element closed, every attribute in double quotes. What breaks
// one is an error. Stricter than any browser.

export interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly inside: readonly Element[];
  /** Elements and text in their order, entities read. */
  readonly content: readonly (Element | string)[];
}

const VOID = new Set(['meta']);

const ENTITIES: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };

function read(text: string): string {
  if (text.includes('>')) throw new Error(`no text: ${text}`);
  return text.replaceAll(/&([^;]*);/g, (_, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`an entity: &${name};`);
    return character;
  });
}

export function parsed(document: string): Element {
  const body = /^<!doctype html>(.*)$/s.exec(document.trimEnd())?.[1] ?? '';
  const token = /<(\/?)([a-z][a-z0-9]*)((?: [\w-]+(?:="[^"<>]*")?)*)(\/?)>|([^<]+)/gy;
  interface Open extends Element {
    readonly inside: Open[];
    readonly content: (Open | string)[];
  }
  const root: Open = { tag: '', attributes: new Map(), inside: [], content: [] };
  const open: Open[] = [root];
  while (token.lastIndex < body.length) {
    const from = token.lastIndex;
    const [, closing, tag = '', attributes = '', empty, text] = token.exec(body) ?? [];
    const inner = open.at(-1) ?? root;
    if (text !== undefined) inner.content.push(inner.tag === 'style' ? text : read(text));
    else if (tag === '') throw new Error(`no markup: ${body.slice(from, from + 120)}`);
    else if (closing === '/') {
      if (open.pop()?.tag !== tag) throw new Error(`</${tag}> closes ${inner.tag}`);
    } else {
      const pairs = [...attributes.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)].map(
        ([, name = '', value = '']) => [name, read(value)] as const,
      );
      const element: Open = { tag, attributes: new Map(pairs), inside: [], content: [] };
      if (element.attributes.size !== pairs.length) throw new Error(`an attribute twice: ${attributes}`);
      inner.inside.push(element);
      inner.content.push(element);
      if (empty === '' && !VOID.has(tag)) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`open: ${open.map(({ tag }) => tag).join(' ')}`);
  return root;
}

export function all(element: Element): readonly Element[] {
  return [element, ...element.inside.flatMap(all)];
}

/** All that is read of an element. */
export function textIn({ content }: Element): string {
  return content.map((part) => (typeof part === 'string' ? part : textIn(part))).join('');
}

/** What is left when nothing is read: elements and the names of their attributes. */
export function shapeOf({ tag, attributes, inside }: Element): string {
  return `${tag}(${[...attributes.keys()].join(' ')})[${inside.map(shapeOf).join('')}]`;
}
