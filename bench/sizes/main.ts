// `npm run bench:sizes`: processor time and memory of every command at several sizes of a license, in one table, which goes into
// docs/performance.md. Ends with 1 when something that is wanted does not hold.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineLine } from '../machine.ts';
import { pageWith } from '../report.ts';
import { startService } from '../service/service.ts';
import { measureSize, type Use } from './commands.ts';
import { missesOf, tableText, type Uses } from './table.ts';

const PAGE = new URL('../../docs/performance.md', import.meta.url);
const SIZES = [1_000, 5_000, 20_000];

export async function measureSizes(
  sizes: readonly number[],
  wants: (name: string) => boolean,
  tell: (line: string) => void,
): Promise<Uses> {
  const uses = new Map<number, Map<string, Use>>();
  const root = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const service = await startService();
  try {
    for (const agents of sizes) {
      const own = new Map<string, Use>();
      uses.set(agents, own);
      const told = (name: string, use: Use): void => {
        own.set(name, use);
        tell(
          `${agents}: ${name}: ${((use.cpu ?? use.wall) / 1000).toFixed(2)} s, ${use.memory?.toFixed(0) ?? '?'} MiB, ${use.bytes} bytes\n`,
        );
      };
      await measureSize(agents, { service, root, wants, tell: told });
    }
  } finally {
    service.stop();
    await rm(root, { recursive: true, force: true });
  }
  return uses;
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { sizes: text, only: text } });
  const sizes = values.sizes?.split(',').map(Number) ?? SIZES;
  const names = values.only?.split(',');
  const wants = (name: string): boolean => names === undefined || names.some((each) => name.startsWith(each));
  const uses = await measureSizes(sizes, wants, (line) => process.stderr.write(line));
  const report = tableText(machineLine(1), uses);
  console.log(report);
  const isWhole = values.sizes === undefined && names === undefined;
  if (isWhole) await writeFile(PAGE, pageWith(await readFile(PAGE, 'utf8'), report, 'bench:sizes'));
  if (missesOf(uses).length > 0) process.exitCode = 1;
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main();
