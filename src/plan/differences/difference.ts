// One difference between what was applied, what the license has and what the manifest says, and which kinds were compared.

import { DRIFT_KINDS, STATUSES, WAYS_OUT } from '../../base/difference.ts';
import * as s from '../../base/documents.ts';
import type { ObjectId } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { reach } from '../plan.ts';

export const source = s.orNull(s.place('Where the files say it; null for what they do not.'));

const wayOut = s.oneOf(
  "A way to end a difference: apply the repository's value, accept the license's, import an owned object again, or ignore it.",
  WAYS_OUT,
);

export const difference = {
  status: s.oneOf(
    'Which side changed since the last apply. drift: the license. pending: the repository. conflict: both, to different values. converged: both, to the same value. unknown: it cannot be read.',
    STATUSES,
  ),
  kind: s.oneOf('What is different.', DRIFT_KINDS),
  address: s.text(
    'Address of the resource; `<kind>/<id>` of an object that nothing declares; the bare kind for the order of its list.',
  ),
  type: s.oneOf('Kind of the resource.', KIND_NAMES),
  name: s.text('What a person calls the object.'),
  id: s.typed<ObjectId | null>({
    type: ['string', 'integer', 'null'],
    description: "The service's id; null for an object that does not exist.",
  }),
  path: s.list('The field, and in a map the member; empty for a whole object, and for an order.', s.text('A name.')),
  base: s.anything('What was last applied, in the terms of a plan; null where there is none, or it is not known.'),
  live: s.anything('What the license has; null where there is none, or it is not known.'),
  desired: s.anything('What the manifest says; null where it says nothing.'),
  reach: s.orNull({
    ...reach,
    description: 'How an apply would close it; null when there is nothing to write, or only a whole object.',
  }),
  reason: s.orNull(s.text('What a person has to know in addition to the values.')),
  applied_at: s.orNull(s.time('When it was last applied; null when the ledger does not know.')),
  usual: s.flag(
    'About an unmanaged object that is usual on a license managed in part: an agent, a group, a bot, or what belongs to it. Not an agent who administers the license and did not at the last apply.',
  ),
  source,
  ways_out: s.list('How to end it.', wayOut),
};
export const whereKnown = {
  in_words: s.text('An object that the manifest does not declare, in one line, as a plan says it.'),
  changed_by: s.text('Who changed it last on the license, where the service says who.'),
};
const differenceRecord = s.record('One difference between base, live and desired.', difference, whereKnown);
export type Difference = s.ValueOf<typeof differenceRecord>;

const comparedKind = s.record('A kind, and whether the check compared its objects.', {
  type: s.oneOf('Kind.', KIND_NAMES),
  noun: s.text('One of its objects, for a person.'),
  nouns: s.text('Several of its objects, for a person.'),
  left_out: s.orNull(
    s.oneOf(
      'Why its objects were not compared; null where they were. undeclared: the manifest declares none, and the ledger owns none. no-client: they are listed for one owner client at a time, and no client is named. not-selected: `--only` or `--except` leaves them out.',
      ['undeclared', 'no-client', 'not-selected'],
    ),
  ),
});
export type ComparedKind = s.ValueOf<typeof comparedKind>;
export const kinds = s.list('The kinds of this version of the API, and which of them were compared.', comparedKind);
