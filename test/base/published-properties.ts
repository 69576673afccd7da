// The published table of default properties: an oracle that shares nothing with the table of the code.

import { readFileSync } from 'node:fs';

type Users = { readonly [user in 'agent' | 'customer']?: readonly ('read' | 'write')[] };

export interface PublishedProperty {
  readonly namespace: string;
  readonly name: string;
  readonly type: 'int' | 'bool' | 'string' | 'tokenized_string';
  readonly access: { readonly [location in 'license' | 'group' | 'chat' | 'thread' | 'event']?: Users };
  readonly values?: readonly (number | string)[];
}

const FILE = new URL('default-properties.json', import.meta.url);

export const PUBLISHED: readonly PublishedProperty[] = JSON.parse(readFileSync(FILE, 'utf8')).properties;
