// Standard output and error of a process whose reader may leave. cli.ts loads it for `--version`, so it imports nothing.

/**
 * Keeps the process running when its output cannot be written: it may be changing a license. A reader that has seen enough, as with `| head`, is no
 * failure. Any other error is told once, and the process fails at its end.
 */
export function outliveReader(stream: NodeJS.WriteStream, tell: (reason: string) => void = () => {}): void {
  let failed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || failed) return;
    failed = true;
    tell(error.code ?? error.message);
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
  });
}
