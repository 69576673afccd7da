// What a person cannot see, and letters that pass for others: each sort by itself, and what must stay as it is.

import { expect, test } from 'vitest';
import { hasLookalikes, markLookalikes, UNSEEN } from '../../src/base/unseen.ts';

const marked = (text: string): string => markLookalikes(text, (letter) => `<${letter}>`);

test.each([
  ['a control character', '\u001b'],
  ['a control character of eight bits', '\u009b'],
  ['a direction mark', '\u202e'],
  ['a zero-width space', '\u200b'],
  ['a joiner', '\u200d'],
  ['a tag', '\u{e0041}'],
  ['an empty pattern of dots', '\u2800'],
  ['a wide space', '\u3000'],
  ['a vowel that shows nothing', '\u17b4'],
  ['a sign of music that shows nothing', '\u{1d173}'],
  ['a variation selector alone', 'a\ufe0f'],
  ['a filler', '\u3164'],
  ['half of a character', '\ud800'],
])('%s is not seen', (_, text) => {
  expect(text.match(UNSEEN)).toHaveLength(1);
});

test.each(['Zoë', 'Łukasz', '山田太郎', 'علي', '한글', '❤\ufe0f', 'e\u0301', 'नमस्ते', '🚀'])('%s is seen', (text) => {
  expect(text.match(UNSEEN)).toBeNull();
});

test.each([
  ['a word of two scripts', 'S\u0430les', 'S<\u0430>les'],
  [
    'an address whose first part looks Latin',
    '\u0430\u043e\u0440\u0435@example.com',
    '<\u0430><\u043e><\u0440><\u0435>@example.com',
  ],
  ['a host of two scripts', 'ann@\u0435xample.com', 'ann@<\u0435>xample.com'],
  ['a Greek letter in a Latin word', 'N\u03bfra', 'N<\u03bf>ra'],
  ['a name of two words, the second of another script', 'Ann \u041e\u0440\u0435', 'Ann <\u041e><\u0440><\u0435>'],
  ['a name of two words, the first of another script', '\u0410\u043e Ann', '<\u0410><\u043e> Ann'],
  [
    'a name of three words in a text',
    'role of Ann \u041c\u0430\u0435 \u041e\u0440\u0435, Bob',
    'role of Ann <\u041c><\u0430><\u0435> <\u041e><\u0440><\u0435>, Bob',
  ],
  ['a quoted name in small letters', '"ann \u043e\u0440\u0435"', '"ann <\u043e><\u0440><\u0435>"'],
])('%s has its foreign letters marked', (_, text, expected) => {
  expect(marked(text)).toBe(expected);
  expect(hasLookalikes(text)).toBe(true);
});

test.each([
  ['a name of one script', 'Вера'],
  ['a word of each script', 'Zoom-бот'],
  ['a name in two scripts, as its letters show', 'Ann Анна'],
  ['a sentence with a name of another script', 'group/вера is no longer owned by Вера'],
  ['a sentence with a name of Latin letters', 'Чат с Zoom'],
  ['an address in its own script', 'group/вера'],
  ['a path in its own script', 'https://example.com/сор/'],
  ['Greek letters of no Latin look', 'Ωmega'],
  ['Latin letters with marks', 'Žofia'],
])('%s stays', (_, text) => {
  expect(marked(text)).toBe(text);
});

test('a name whose words are of two scripts is one of two scripts', () => {
  expect(hasLookalikes('Ann \u041e\u0440\u0435')).toBe(true);
  expect(hasLookalikes('Анна Оре')).toBe(false);
});
