// Numbers and lists of names, in the words of a sentence.

const MOST = 8;

/** At most `most` of the names, and how many more there are. */
export function few(names: readonly string[], most: number = MOST): string {
  const more = names.length - most;
  return more <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${more} more`;
}

/** `1 request`, `2 requests`; `many` where an s does not make the plural. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
