// Randomness in; credentials and secrets that nothing else can look like, and whether a text gives one of them away in any form, out.

/** Long enough that no text holds it by chance, and without a character that any encoding would change. */
export function mark(random: () => number): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';
  return Array.from({ length: 24 }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** What of a base64 text stays the same wherever the mark stands in what was encoded. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.from(`${'x'.repeat(before)}${secret}`)
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(4, -4);
  });
}

/** The text with the codes of HTML, URLs and JSON read, so often that none is left that a mark could be in. */
function decoded(text: string): string {
  const character = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  let said = text;
  for (let layer = 0; layer < 3; layer += 1)
    said = said
      .replace(/&#x([0-9a-f]{2});?/gi, character)
      .replace(/&#(\d{2,3});?/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/%([0-9a-f]{2})/gi, character)
      .replace(/\\+u00([0-9a-f]{2})/gi, character);
  return said;
}

/** The marks that `text` gives away, as they are, in base64 of either alphabet, in hexadecimal digits, or behind codes of pages. */
export function leaked(text: string, marks: Iterable<string>): readonly string[] {
  const said = decoded(text);
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const digits = text.toLowerCase();
  return [...marks].filter(
    (secret) =>
      text.includes(secret) ||
      said.includes(secret) ||
      inBase64(secret).some((form) => standard.includes(form)) ||
      digits.includes(Buffer.from(secret).toString('hex')),
  );
}
