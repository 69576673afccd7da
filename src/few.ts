// Names in, as many as a sentence bears out.

const MOST = 8;

export function few(names: readonly string[], most: number = MOST): string {
  const more = names.length - most;
  return more <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${more} more`;
}
