// The sentence for a Node.js that is too old.

import { expect, test } from 'vitest';
import { nodeMistake } from '../../src/base/version.ts';

test.each(['0.10.48', '4.9.1', '18.20.8', '19.99.0', '20.18.3'])('Node.js %s is told what is needed', (version) => {
  expect(nodeMistake(version)).toBe(
    `chatform needs Node.js 20.19.0 or later, and this is ${version}: install a newer one`,
  );
});

test.each(['20.19.0', '20.19.1', '20.20.0', '22.0.0', '26.1.0', process.versions.node])(
  'Node.js %s is fine',
  (version) => {
    expect(nodeMistake(version)).toBeNull();
  },
);
