// `npm run test:mutation`: mutants of every other declaration of the planner, because all of them take longer than an hour; PART=2 takes the others.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const part = Number(process.env.PART ?? 1);
const files = execFileSync('git', ['ls-files', 'src/plan'], { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Where the declarations of a file stand, as `file:first line-last line`; what is above the first one belongs to it. */
function declarationsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const starts = lines.flatMap((line, at) => (/^(export |async |function |const )/.test(line) ? [at + 1] : []));
  return starts.map((start, at) => `${file}:${start}-${(starts[at + 1] ?? lines.length + 1) - 1}`);
}

export default {
  mutate: files.flatMap(declarationsOf).filter((_, at) => at % 2 === part - 1),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 5000,
  disableTypeChecks: true,
  ignorePatterns: ['dist', 'demo', 'docs', 'examples'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 90, low: 85, break: 85 },
};
