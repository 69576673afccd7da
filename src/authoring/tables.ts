// The tables that manifests name, found in their text: also in one with mistakes, and of every target.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileKey } from '../base/disk.ts';
import { pathIn, YAML_NAME } from '../yaml/read.ts';

const TABLE = /\bcsv["']?\s*:\s*(?:"([^"]+)"|'([^']+)'|([^\s,}#"'][^\s,}#]*))/g;

/** Whether one of these files, or of those in these folders, names the table. A variable stands for anything but a slash. A pipe is left to the run. */
export function isTableOf(manifests: readonly string[], table: string): boolean {
  if (!existsSync(table)) return false;
  const key = fileKey(table);
  return manifests.flatMap(yamlFiles).some((file) =>
    [...textOf(file).matchAll(TABLE)].some((match) => {
      const named = match[1] ?? match[2] ?? match[3] ?? '';
      const path = pathIn(file, named);
      return path.includes('${') ? fits(path, table) : fileKey(path) === key;
    }),
  );
}

function fits(pattern: string, table: string): boolean {
  const parts = resolve(pattern).split(/\$\{[^}]*\}/);
  const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join('[^/]*')}$`).test(resolve(table));
}

function yamlFiles(path: string): readonly string[] {
  return (
    quietly(() =>
      statSync(path).isDirectory()
        ? readdirSync(path)
            .filter((name) => YAML_NAME.test(name))
            .map((name) => join(path, name))
        : [path],
    ) ?? []
  ).filter((file) => quietly(() => statSync(file).isFile()) === true);
}

function textOf(file: string): string {
  return quietly(() => readFileSync(file, 'utf8')) ?? '';
}

function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
