// What counts as the same text in another form: what a service may keep, and nothing else.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingTexts, isSameButForm } from '../../src/base/forms.ts';
import { inKeptForms, KEPT_FORMS } from '../../src/emulator/configuration/kept-forms.ts';
import { tries } from '../tries.ts';

describe('A reading is what was written in another form', () => {
  it.each([
    [' Sales ', 'Sales'],
    ['Sales \t Team', 'Sales Team'],
    ['Sales  Team ', 'sales team'],
    ['M\u00fcnchen.DE/Karte', 'xn--mnchen-3ya.de/Karte'],
    ['https://xn--mnchen-3ya.de/A', 'https://m\u00fcnchen.de/A'],
    ['https://Shop.Example/A', 'https://shop.example/A'],
    [
      ['b ', 'a'],
      ['a', 'b'],
    ],
    [['b', 'b '], ['b']],
    ['Go to <b>Settings</b><br/> ', 'Go to Settings'],
    ['<b>1</b> < 2 & 3', '&lt;b&gt;1&lt;/b&gt; &lt; 2 & 3'],
    ['1 < 2 & 3', '1 &lt; 2 &amp; 3'],
    [{ url: { values: [{ value: 'A' }] } }, { url: { values: [{ value: 'a' }] } }],
  ])('%j, %j', (written, read) => {
    expect(isSameButForm(written, read)).toBe(true);
  });

  it.each([
    ['sales', 'Sales'],
    ['Sales', ' Sales'],
    ['Sales', 'Sales 2'],
    ['Salesteam', 'Sales team'],
    ['Cafe', 'Caf\u00e9'],
    ['/A', '/B'],
    ['/a', '/A/'],
    ['Settings', '<b>Settings</b>'],
    ['1 &lt; 2', '1 < 2'],
    ['<b>Go</b> to', 'Go'],
    ['1 < 2 > 0', '1 0'],
    ['5', 5],
    ['', null],
    [['a', 'b'], ['a']],
    [['a'], ['a', 'b']],
    [{ a: 'x' }, { A: 'x' }],
    [{ value: 'x ' }, { value: 'x', exact_match: true }],
  ])('and not %j, %j', (written, read) => {
    expect(isSameButForm(written, read)).toBe(false);
  });

  it('whatever a service that keeps forms makes of any text, and nothing that has another letter', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\t', '\u00fc', 'u\u0308', '.', '/', 'x') });
    const forms = fc.subarray([...KEPT_FORMS].filter((form) => !form.endsWith('hosts')));
    fc.assert(
      fc.property(
        text.map((each) => each.normalize('NFC')),
        forms,
        (name, kept) => {
          const read = Object(inKeptForms('create_group', { name }, kept)).name.normalize('NFC');
          expect(isSameButForm(name, read)).toBe(true);
          expect(isSameButForm(name, `${read}q`)).toBe(false);
          expect(isSameButForm({ name }, { name: read })).toBe(true);
        },
      ),
      { numRuns: tries(300) },
    );
  });

  it('and the texts that differ are told in pairs', () => {
    const values = (...texts: readonly string[]) => ({ url: { values: texts.map((value) => ({ value })) } });
    expect(differingTexts(values('a ', 'b', 'C'), values('C', 'a', 'b'))).toEqual([['a ', 'a']]);
    expect(differingTexts(values('a'), values('a'))).toEqual([]);
    expect(differingTexts(values('a '), values('b'))).toBe(null);
  });
});
