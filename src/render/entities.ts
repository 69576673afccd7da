// Text in; the same with what means something in markup spelt as entities, which every reader of HTML and XML knows, out.

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** What could end an element, or an attribute in whatever quotes. */
const MARKUP = /[&<>"'`]/g;

export function entities(text: string, meant: RegExp = MARKUP): string {
  return text.replaceAll(meant, (character) => ENTITIES[character] ?? character);
}
