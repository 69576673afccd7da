// Mutants that the types refuse, so that `npm run types` finds them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

/** What a mutant leaves unused makes it no less of one. */
const LENIENT = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/** Returns the mutants whose file has an error of types with them. All files are one program, in which each stands next to its original. */
export function refusedByTypes(mutants: readonly Mutant[]): ReadonlySet<Mutant> {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, compilerOptions: { ...config.compilerOptions, ...LENIENT } },
    ts.sys,
    process.cwd(),
  );
  const named = new Map(mutants.map((mutant) => [resolve(mutant.file).replace(/\.ts$/, `.${mutant.id}.ts`), mutant]));
  const textOf = (name: string): string | undefined => {
    const mutant = named.get(name);
    return mutant === undefined ? ts.sys.readFile(name) : withMutant(readFileSync(mutant.file, 'utf8'), mutant);
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...named.keys()], options, {
    ...host,
    fileExists: (name) => named.has(name) || host.fileExists(name),
    readFile: textOf,
    getSourceFile: (name, version) => {
      const text = textOf(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, version);
    },
  });
  const isRefused = (name: string): boolean => {
    const file = program.getSourceFile(name);
    return program.getSyntacticDiagnostics(file).length + program.getSemanticDiagnostics(file).length > 0;
  };
  return new Set([...named].flatMap(([name, mutant]) => (isRefused(name) ? [mutant] : [])));
}

function withMutant(text: string, { line, column, original, replacement }: Mutant): string {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, column - 1);
  return text.slice(0, start) + replacement + text.slice(start + original.length);
}
