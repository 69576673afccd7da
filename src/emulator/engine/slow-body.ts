// A text comes in, a body that brings it at a given pace goes out. Knows nothing of what it says.

/** The platform's own clock. */
export const timer = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const PIECES_PER_SECOND = 10;

/** The pieces of a text, each when its time has come; `sleep` takes milliseconds. */
export async function* piecesOf(
  text: string,
  bytesPerSecond: number,
  sleep: (milliseconds: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.max(1, Math.ceil(bytesPerSecond / PIECES_PER_SECOND));
  for (let sent = 0; sent < bytes.length; sent += size) {
    const piece = bytes.subarray(sent, sent + size);
    await sleep((piece.length / bytesPerSecond) * 1000);
    yield piece;
  }
}

export function slowly(
  text: string,
  bytesPerSecond: number,
  sleep: (milliseconds: number) => Promise<void>,
): ReadableStream<Uint8Array> {
  const pieces = piecesOf(text, bytesPerSecond, sleep);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
