// GitHub's own parser of workflows and actions, in one file: as it is published, it imports JSON in a way that Node 20 refuses.

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import type { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { build } from 'esbuild';

interface GithubParser {
  readonly convertWorkflowTemplate: typeof convertWorkflowTemplate;
  readonly NoOperationTraceWriter: typeof NoOperationTraceWriter;
  readonly parseWorkflow: typeof parseWorkflow;
  readonly parseAction: typeof parseAction;
}

const CONTENTS = `export * from '@actions/workflow-parser';
export { parseAction } from '@actions/workflow-parser/actions/action-parser';
`;

/** `folder` is where the one file is written. */
export async function githubParser(folder: string): Promise<GithubParser> {
  const outfile = join(folder, 'parser.mjs');
  await build({
    stdin: { contents: CONTENTS, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as GithubParser;
}
