// Texts by file name in; a disk that has them out.

import type { FileSystem } from '../../src/yaml/file-system.ts';

export function memoryDisk(files: { readonly [name: string]: string | Uint8Array }): FileSystem {
  const bytes = (path: string): Uint8Array => {
    const content = files[path];
    if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const inside = (path: string): readonly string[] => {
    const prefix = path === '.' ? '' : `${path}/`;
    const names = Object.keys(files).filter((name) => name.startsWith(prefix));
    return [...new Set(names.map((name) => name.slice(prefix.length).split('/')[0] ?? ''))];
  };
  return {
    isDirectory: async (path) => {
      if (files[path] === undefined && inside(path).length > 0) return true;
      bytes(path);
      return false;
    },
    list: async (path) => inside(path),
    read: async (path, most) => {
      const content = bytes(path);
      return content.length > most ? { size: content.length } : content;
    },
  };
}
