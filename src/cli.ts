#!/usr/bin/env node
// What people start: argv to the version, or to the command line. Asking for the version loads no library.

import { packageVersion } from './base/version.ts';

async function start(argv: readonly string[]): Promise<void> {
  const { commandLine } = await import('./commands/command-line.ts');
  process.exitCode = await commandLine(argv);
}

/** A closed pipe, as with `| head`, is no failure, also of help and version, which open no terminal. */
function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
  });
}

outliveReader(process.stdout);
outliveReader(process.stderr);
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${packageVersion()}\n`);
else void start(argv);
