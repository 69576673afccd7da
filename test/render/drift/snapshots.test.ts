// Every report of every look, whole: the files in looks/ are what people and programs get.

import { describe, expect, test } from 'vitest';
import { type ReportFormat, renderers } from '../../../src/render/drift/renderers.ts';
import { CALM, FAILED, SEEN } from '../../tasks/drift/example.ts';

/** JSON is text here, so that the formatter of the sources leaves it as it is. */
const ENDINGS: { readonly [format in ReportFormat]: string } = {
  text: 'txt',
  json: 'json.txt',
  markdown: 'md',
  junit: 'xml',
  sarif: 'sarif',
  prometheus: 'prom',
};

describe.each(Object.entries({ seen: SEEN, calm: CALM, failed: FAILED }))('A look that is %s', (name, look) => {
  test.each(Object.keys(ENDINGS) as ReportFormat[])('as %s', async (format) => {
    await expect(renderers[format](look)).toMatchFileSnapshot(`looks/${name}.${ENDINGS[format]}`);
  });
});
