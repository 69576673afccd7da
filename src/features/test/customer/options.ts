// Schema of the options of `test --on customer`, as a request for workers stores them.

import * as s from '../../../base/documents.ts';

export const optionsSchema = s.record(
  'Options of `test --on customer`.',
  {
    predict: s.flag('Ask who would answer.'),
    chat: s.orNull(s.text('The route whose chat is rehearsed, by its name or page; null for none.')),
    afterApply: s.flag('Ask what differs again until it shows.'),
  },
  { visitor: s.flag('Visit the pages of routes on the real-time interface first.') },
);
export type CustomerOptions = s.ValueOf<typeof optionsSchema>;
