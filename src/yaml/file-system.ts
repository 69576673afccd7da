// The disk, as far as reading manifests needs it, so that a test can have another one.

import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Each call rejects with a Node.js error (`code: 'ENOENT'`, ...). */
export interface FileSystem {
  readonly isDirectory: (path: string) => Promise<boolean>;
  /** Names in a directory. */
  readonly list: (path: string) => Promise<readonly string[]>;
  /** The bytes of a file that has no more than `most`; of a larger one no more is read than it takes to know. */
  readonly read: (path: string, most: number) => Promise<Uint8Array | TooLarge>;
}

export interface TooLarge {
  /** Null for a pipe, which does not say it. */
  readonly size: number | null;
}

/** Bytes that are read at once. */
const CHUNK = 1 << 18;

/**
 * The real one. A handful of files is read in a tenth of the time when nothing else goes on meanwhile; a pipe, where somebody may take as long as he
 * likes, is read beside everything else.
 */
export function disk(): FileSystem {
  return {
    isDirectory: async (path) => statSync(path).isDirectory(),
    list: async (path) => readdirSync(path),
    read: async (path, most) => {
      const status = statSync(path);
      if (!status.isFile()) return readPipe(path, most);
      return status.size > most ? { size: status.size } : within(readFileSync(path), most);
    },
  };
}

function within(bytes: Uint8Array, most: number): Uint8Array | TooLarge {
  return bytes.length > most ? { size: bytes.length } : bytes;
}

async function readPipe(path: string, most: number): Promise<Uint8Array | TooLarge> {
  const { open } = await import('node:fs/promises');
  const chunks: Buffer[] = [];
  const file = await open(path);
  try {
    for (let left = most; left >= 0; ) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(Math.min(left + 1, CHUNK)) });
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return { size: null };
  } finally {
    await file.close();
  }
}

/** The same disk with these texts on it, although nobody has written them. */
export function withTexts(system: FileSystem, texts: ReadonlyMap<string, string>): FileSystem {
  const names = (folder: string): readonly string[] => {
    const prefix = folder === '.' ? '' : `${folder}/`;
    const inside = [...texts.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
    return inside.filter((name) => !name.includes('/'));
  };
  return {
    isDirectory: async (path) => {
      if (texts.has(path)) return false;
      return names(path).length > 0 || system.isDirectory(path);
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
      return text === undefined ? system.read(path, most) : within(Buffer.from(text), most);
    },
  };
}
