// The comment as a reviewer gets it, whole: comment.md is read by people before it is changed.

import { expect, test } from 'vitest';
import { commentMarkdown } from '../../../src/render/comment/comment.ts';
import type { Origin } from '../../../src/render/comment/subject.ts';
import { dangerous, planned } from './plans.ts';

const ORIGIN: Origin = {
  commit: '0123456789abcdef0123456789abcdef01234567',
  run: 'https://github.example/o/r/actions/runs/7',
  folder: 'support',
  lineOf: ({ file, line }) => `https://github.example/o/r/blob/main/${file}#L${line}`,
};

test('A comment says first what cannot be taken back, then what changes, then what to do', async () => {
  const text = commentMarkdown({ of: planned(dangerous()), state: 'plan', origin: ORIGIN });
  await expect(text).toMatchFileSnapshot('comment.md');
});
