// The disk, as far as reading manifests needs it, so that a test can have another one.

import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Each call rejects with a Node.js error (`code: 'ENOENT'`, ...). */
export interface FileSystem {
  readonly stat: (path: string) => Promise<{ readonly isDirectory: boolean; readonly size: number }>;
  /** Names in a directory. */
  readonly list: (path: string) => Promise<readonly string[]>;
  /** The bytes of a file; no more than `most`, however large it is: a pipe does not say its size. */
  readonly read: (path: string, most: number) => Promise<Uint8Array>;
}

/** Bytes that are read at once. */
const CHUNK = 1 << 18;

/**
 * The real one. A handful of files is read in a tenth of the time when nothing else goes on meanwhile; a pipe, where somebody may take as long as he
 * likes, is read beside everything else.
 */
export function disk(): FileSystem {
  return {
    stat: async (path) => {
      const status = statSync(path);
      return { isDirectory: status.isDirectory(), size: status.size };
    },
    list: async (path) => readdirSync(path),
    read: async (path, most) => (statSync(path).isFile() ? readFileSync(path).subarray(0, most) : readPipe(path, most)),
  };
}

async function readPipe(path: string, most: number): Promise<Uint8Array> {
  const { open } = await import('node:fs/promises');
  const chunks: Buffer[] = [];
  const file = await open(path);
  try {
    for (let left = most; left > 0; ) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(Math.min(left, CHUNK)) });
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
  } finally {
    await file.close();
  }
  return Buffer.concat(chunks);
}

/** The same disk with these texts on it, although nobody has written them. */
export function withTexts(system: FileSystem, texts: ReadonlyMap<string, string>): FileSystem {
  const names = (folder: string): readonly string[] => {
    const prefix = folder === '.' ? '' : `${folder}/`;
    const inside = [...texts.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
    return inside.filter((name) => !name.includes('/'));
  };
  return {
    stat: async (path) => {
      const text = texts.get(path);
      if (text !== undefined) return { isDirectory: false, size: Buffer.byteLength(text) };
      return names(path).length > 0 ? { isDirectory: true, size: 0 } : system.stat(path);
    },
    list: async (path) => {
      const added = names(path);
      const listed = await system.list(path).catch((error: unknown) => {
        if (added.length > 0) return [];
        throw error;
      });
      return [...new Set([...listed, ...added])];
    },
    read: async (path, most) => {
      const text = texts.get(path);
      return text === undefined ? system.read(path, most) : Buffer.from(text).subarray(0, most);
    },
  };
}
