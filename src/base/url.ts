// A text in; the URL that it is, and who can read what is sent there, out. Knows nothing of what stands there.

/**
 * Null for what is none. Not by URL.canParse: in Node 20 it refuses texts with an accent, once it has been called often enough to be compiled;
 * and URL.parse came later.
 */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether what is sent there stays on this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether everybody on the way can read what is sent there. */
export function isReadable(text: string): boolean {
  const url = parsedUrl(text);
  return url?.protocol === 'http:' && !isThisMachine(url);
}
