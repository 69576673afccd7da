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

/** The marks that `text` gives away, as they are, in base64 of either alphabet or in hexadecimal digits. */
export function leaked(text: string, marks: Iterable<string>): readonly string[] {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const digits = text.toLowerCase();
  return [...marks].filter(
    (secret) =>
      text.includes(secret) ||
      inBase64(secret).some((form) => standard.includes(form)) ||
      digits.includes(Buffer.from(secret).toString('hex')),
  );
}
