#!/usr/bin/env node
// What people start: argv to the version, or to the command line. Asking for the version loads no library. The build makes it readable for every
// Node.js, so that one that is too old says so.

import { outliveReader } from './base/streams.ts';
import { nodeMistake, packageVersion } from './base/version.ts';

async function start(argv: readonly string[]): Promise<void> {
  const { commandLine } = await import('./command-line.ts');
  process.exitCode = await commandLine(argv);
}

// Help and version open no terminal.
outliveReader(process.stdout);
outliveReader(process.stderr);
const argv = process.argv.slice(2);
const mistake = nodeMistake();

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${packageVersion()}\n`);
else if (mistake !== null) {
  process.stderr.write(`Error: ${mistake}\n`);
  process.exitCode = 1;
} else void start(argv);
