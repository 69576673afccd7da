// A number and a noun in, both in the words of a sentence out.

/** `1 request`, `2 requests`; `many` where an s does not make it. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
