// Pages of several licenses, as `show --all --report html=FILE` writes them: an index, the worst first, and a page for each.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unshareJson } from '../../../src/base/shared-json.ts';
import { type FilterData, filter } from '../../../src/features/ui/filter.ts';
import { chatform, folder } from '../../cli/chatform.ts';
import { FILES, makeLicenses } from './three-licenses.ts';

async function licenses(): Promise<string> {
  const cwd = await folder({});
  await makeLicenses(cwd);
  return cwd;
}

function written(cwd: string, ...args: readonly string[]) {
  return chatform(['show', '--all', '--report', 'html=index.html', ...args], { cwd });
}

function textOf(markup: string): string {
  const body = markup.slice(markup.indexOf('<body>')).replaceAll(/<script[\s\S]*?<\/script>/g, '');
  return body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

function dataIn(markup: string): FilterData {
  const [, json = ''] = /id="filter-data">([^<]*)</.exec(markup) ?? [];
  return unshareJson(JSON.parse(json)) as unknown as FilterData;
}

describe('The index of several licenses', () => {
  test('has the worst first, says why one was not read, and leads to the page of each', async () => {
    const cwd = await licenses();
    expect((await written(cwd)).code).toBe(1);
    expect((await readdir(cwd)).filter((file) => file.endsWith('.html'))).toEqual([
      'acme.html',
      'bravo.html',
      'carbon.html',
      'index.html',
    ]);
    const index = await readFile(join(cwd, 'index.html'), 'utf8');
    expect(Array.from(index.matchAll(/<a href="([a-z]+\.html)"><bdi>/g), ([, page]) => page)).toEqual([
      'carbon.html',
      'bravo.html',
      'acme.html',
    ]);
    const text = textOf(index);
    expect(text).toContain('3 licenses: 1 not read, 1 with warnings, 1 with no open needs.');
    expect(text).toMatch(/carbon ! not read Not read: .*carbon\.json/);
    expect(text).toMatch(/bravo ~ to look at Ann: suspended in the application, so no chat is assigned/);
    expect(text).toMatch(/acme ✓ no open needs nothing/);
    expect(index).not.toContain('Zoe <b>');
    expect(index.match(/<script>/g)).toHaveLength(1);
    expect(textOf(await readFile(join(cwd, 'bravo.html'), 'utf8'))).toContain('License bravo ~ to look at');
    expect(textOf(await readFile(join(cwd, 'carbon.html'), 'utf8'))).toMatch(/carbon ! failed Error: .*carbon\.json/);
  });

  test('reads each license in the requests of one alone', async () => {
    const cwd = await licenses();
    const alone = await chatform(['show', '-t', 'acme', '--json', '--report', 'html=alone.html'], { cwd });
    const all = await written(cwd, '--json');
    const { requests } = JSON.parse(all.stdout).targets[0];
    const sent = Object.values<number>(JSON.parse(alone.stdout).requests_sent);
    expect(requests).toBe(sent.reduce((sum, each) => sum + each, 0));
  });

  test('names no person where that is asked for, in none of its files', async () => {
    const cwd = await licenses();
    await written(cwd, '--without-people');
    for (const file of ['index.html', 'acme.html', 'bravo.html', 'carbon.html'])
      expect([file, await readFile(join(cwd, file), 'utf8')]).toEqual([
        file,
        expect.not.stringMatching(/\bAnn\b|ann@|zoe@/i),
      ]);
    const index = await readFile(join(cwd, 'index.html'), 'utf8');
    expect(textOf(index)).toContain('1 person: suspended in the application');
    expect(dataIn(index).people).toEqual([]);
  });

  test('replaces no file that chatform did not write, and no other report', async () => {
    const cwd = await folder({ ...FILES, 'bravo.html': '<p>mine' });
    const mine = await written(cwd);
    expect([mine.code, mine.stderr]).toEqual([1, expect.stringContaining('the page of bravo: it would be replaced')]);
    const same = await chatform(['show', '--all', '--report', 'html=acme.html'], { cwd });
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('html goes into that file already')]);
    expect(await readFile(join(cwd, 'bravo.html'), 'utf8')).toBe('<p>mine');
  });

  test('is filtered by labels, by what licenses need, and by the name of a person', async () => {
    const cwd = await licenses();
    await written(cwd);
    const data = dataIn(await readFile(join(cwd, 'index.html'), 'utf8'));
    const names = data.licenses.map(({ name }) => name);
    const asked = (question: { readonly [field: string]: string }) => {
      const { shown, people } = filter(data, names, new Map(Object.entries(question)));
      return [names.filter((_, at) => shown[at]), people];
    };
    expect(asked({ text: '', needs: '', 'label.region': '' })).toEqual([['carbon', 'bravo', 'acme'], []]);
    expect(asked({ 'label.region': 'eu' })).toEqual([['carbon', 'acme'], []]);
    expect(asked({ needs: 'suspended' })).toEqual([['bravo'], []]);
    expect(asked({ needs: 'unread', 'label.region': 'us' })).toEqual([[], []]);
    const ann = 'person=ann%40example.com';
    const pages = [
      ['bravo', `bravo.html#${ann}`],
      ['acme', `acme.html#${ann}`],
    ];
    expect(asked({ text: 'ANN@' })).toEqual([
      ['bravo', 'acme'],
      [{ says: 'Ann (ann@example.com): 2 licenses', pages }],
    ]);
    expect(asked({ text: 'acm' })).toEqual([['acme'], []]);
  });
});
