// A filter that removes secrets from a text, in each form in which a program may repeat them, whole or in part.

const INSTEAD = '[secret]';

/** A shorter piece reveals nothing, and would hide ordinary words. */
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
    // Within a longer text that was encoded as a whole; the characters at its ends depend on the neighbours.
    ...[1, 2].map((offset) =>
      Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .slice(4, -4),
    ),
  ];
}

/** Returns the whole of a short form, or every part of a longer one. */
function piecesOf(form: string): readonly string[] {
  if (form.length <= SHORTEST) return form === '' ? [] : [form];
  return Array.from({ length: form.length - SHORTEST + 1 }, (_, start) => form.slice(start, start + SHORTEST));
}
