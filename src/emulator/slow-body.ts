// A text comes in, a body that brings it at a given pace goes out. Knows nothing of what it says.

const PIECES_PER_SECOND = 10;

/** `sleep` takes milliseconds. */
export function slowly(
  text: string,
  bytesPerSecond: number,
  sleep: (milliseconds: number) => Promise<void>,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const piece = Math.max(1, Math.ceil(bytesPerSecond / PIECES_PER_SECOND));
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      const next = bytes.subarray(sent, sent + piece);
      await sleep((next.length / bytesPerSecond) * 1000);
      sent += next.length;
      controller.enqueue(next);
      if (sent >= bytes.length) controller.close();
    },
  });
}
