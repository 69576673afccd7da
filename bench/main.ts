// `npm run bench`: chatform beside what people use instead, in one run, against one service in a process of its own. Flags come in; tables, JSON
// and the part of docs/performance.md that holds them go out.

import { readFile, writeFile } from 'node:fs/promises';
import { claimsOf } from './claims.ts';
import { contenders, FORMER } from './contenders.ts';
import { machineLine } from './machine.ts';
import { type Options, optionsOf } from './options.ts';
import { pageWith, reportText } from './report.ts';
import type { Results } from './results.ts';
import { buildScripts } from './scripts.ts';
import { tablesOf } from './sections.ts';
import { startService } from './service/service.ts';

const JSON_FILE = new URL('results.json', import.meta.url);
const PAGE = new URL('../docs/performance.md', import.meta.url);

export async function measure(options: Options, tell: (line: string) => void): Promise<Results> {
  const { present, absent } = contenders(await buildScripts(), options.before);
  const chosen = present.filter(
    ({ name }) =>
      name === 'floor' || name === FORMER || options.contenders === null || options.contenders.includes(name),
  );
  const service = await startService();
  try {
    const tables = await tablesOf({ service, contenders: chosen, options }, ({ id, latency }) =>
      tell(`${id} at ${latency} ms is measured\n`),
    );
    return { machine: machineLine(options.rounds), tables, absent };
  } finally {
    service.stop();
  }
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  const results = await measure(options, (line) => process.stderr.write(line));
  const claims = claimsOf(results);
  const report = reportText(results, claims);
  console.log(report);
  await writeFile(JSON_FILE, `${JSON.stringify({ ...results, claims })}\n`);
  if (options.whole) await writeFile(PAGE, pageWith(await readFile(PAGE, 'utf8'), report));
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main();
