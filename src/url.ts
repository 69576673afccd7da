// A text in; the URL that it is out. Knows nothing of what stands there.

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
