// Mutants that the types refuse, so that `npm run types` finds them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

/** Returns the check whether the file of a mutant has an error of types with it. */
export function typeCheck(files: readonly string[]): (mutant: Mutant) => boolean {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  let mutated: { readonly file: string; readonly text: string } | null = null;
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files.map((file) => resolve(file)),
    getScriptVersion: (file) => (mutated?.file === file ? String(version) : ''),
    getScriptSnapshot: (file) => {
      const text = mutated?.file === file ? mutated.text : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  return (mutant) => {
    const file = resolve(mutant.file);
    version += 1;
    mutated = { file, text: withMutant(readFileSync(file, 'utf8'), mutant) };
    return service.getSyntacticDiagnostics(file).length + service.getSemanticDiagnostics(file).length > 0;
  };
}

function withMutant(text: string, { line, column, original, replacement }: Mutant): string {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, column - 1);
  return text.slice(0, start) + replacement + text.slice(start + original.length);
}
