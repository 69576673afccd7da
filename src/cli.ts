#!/usr/bin/env node
// What people start. argv in; the version out, or the command line. To ask for the version takes no library.

import { packageVersion } from './base/version.ts';

async function start(): Promise<void> {
  const { commandLine } = await import('./commands/command-line.ts');
  await commandLine();
}

const [first, ...rest] = process.argv.slice(2);

if (rest.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${packageVersion()}\n`);
else void start();
