// Secrets in; a filter that keeps them out of a text, in each form in which a program may repeat them, whole or in part, out.

const INSTEAD = '[secret]';

/** What is shorter gives nothing away, and would hide ordinary words. */
const SHORTEST = 6;

export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const pieces = new Set(secrets.flatMap(formsOf).flatMap(piecesOf));
  const lengths = [...new Set([...pieces].map(({ length }) => length))];
  return (text) => {
    const isHidden = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) {
      for (const length of lengths)
        if (pieces.has(text.slice(index, index + length))) isHidden.fill(1, index, index + length);
    }
    return Array.from(isHidden, (hidden, index) => {
      if (hidden === 0) return text.charAt(index);
      return isHidden[index - 1] === 1 ? '' : INSTEAD;
    }).join('');
  };
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll("'", `'\\''`),
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    // Within something longer that was encoded as a whole; what stands at its ends depends on the neighbours.
    ...[1, 2].map((offset) =>
      Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .slice(4, -4),
    ),
  ];
}

/** All of a form that is short, or every part of it. */
function piecesOf(form: string): readonly string[] {
  if (form.length <= SHORTEST) return form === '' ? [] : [form];
  return Array.from({ length: form.length - SHORTEST + 1 }, (_, start) => form.slice(start, start + SHORTEST));
}
