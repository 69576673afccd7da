// Schema and types of `show --json`.

import * as s from '../../base/documents.ts';
import { type Diagnostic, type JsonObject, type Spec, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { BARS } from '../../kinds/kind.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import type { Difference } from '../../plan/differences/difference.ts';
import { VIEWS } from '../coverage/schema.ts';

const OWNERSHIPS = ['declared', 'owned', 'unmanaged'] as const;

const type = s.oneOf('Kind of the resource.', KIND_NAMES);

const ownership = s.oneOf(
  'declared: the manifest has it. owned: only the ledger does. unmanaged: neither.',
  OWNERSHIPS,
);

const reference = s.record('One reference.', {
  field: s.orNull(s.text('The field it stands in; null where the id itself says whose value it is.')),
  address: s.text('The other end.'),
  name: s.orNull(s.text('What a person calls it; null when it was not read, or has no name but its id.')),
});
export type ShownReference = s.ValueOf<typeof reference>;

const object = s.record(
  'One object of the license.',
  {
    address: s.text('`<kind>/<key>`; `<kind>/<id>` of an object that is unmanaged.'),
    type,
    id: s.objectId("The service's id."),
    name: s.text('What a person calls it.'),
    ownership,
    origin: s.orNull(s.oneOf('How it came to be owned; null when it is not.', ['created', 'adopted', 'imported'])),
    last_applied: s.orNull(s.text('RFC 3339; null when nothing was applied to it.')),
    source: s.orNull(s.place('Where the manifest declares it.')),
    spec: s.typed<Spec>({ type: 'object', description: 'As it is on the license; references are addresses.' }),
    unread: s.list('Fields that were not read, or cannot be.', s.text('Name of a field.')),
  },
  {
    computed: s.typed<JsonObject>({
      type: 'object',
      description: 'What the service alone decides, such as who changed it last. Only where its list shows it.',
    }),
  },
);
export type ShownObject = s.ValueOf<typeof object>;

const kindCount = s.record('One kind.', {
  type,
  read: s.flag('False: it could not be read, or only per owner client, and none is known.'),
  total: s.whole('Objects on the license.'),
  ...s.counts('Of these.', OWNERSHIPS),
});
export type KindCount = s.ValueOf<typeof kindCount>;

const person = s.record('One agent or bot.', {
  address: s.text('`<kind>/<key>`; `<kind>/<id>` of one that is unmanaged.'),
  type,
  name: s.text('What a person calls it.'),
  bot: s.flag('It is a bot.'),
  ownership,
  barred: s.orNull(s.oneOf('Why it gets no chats in any group; null when it gets some.', [...BARS, 'no slots'])),
  complete: s.flag('False: the files do not say all of its groups, so there may be others.'),
  groups: s.list(
    'By address; none of one that is in no group.',
    s.record('One membership.', {
      group: s.text('Address of the group.'),
      before: s.orNull(
        s.oneOf('Where `view` is both: its priority on the license, null where it joins. Else null.', PRIORITIES),
      ),
      priority: s.orNull(s.oneOf('Its priority in the group; null where it leaves.', PRIORITIES)),
    }),
  ),
});
export type ShownMember = s.ValueOf<typeof person>;

const members = s.record('Only of `show members`: who is in which group.', {
  view: s.oneOf('live: on the license. files: by the files. both: on the license, before and after an apply.', VIEWS),
  groups: s.list(
    'By address.',
    s.record('One group.', {
      address: s.text('`group/<key>`; `group/<id>` of one that is unmanaged.'),
      name: s.text('What a person calls it.'),
      complete: s.flag('False: the files do not say who is in the group, so there may be others.'),
    }),
  ),
  people: s.list('Agents, then bots, by address.', person),
});
export type ShownMembers = s.ValueOf<typeof members>;

const shown = s.record(
  'What a license has.',
  {
    format_version: s.formatVersion,
    errored: s.flag('Something could not be read: exit code 1.'),
    target: s.text('Name of the target.'),
    api_version: s.oneOf('Version of the Configuration API.', VERSIONS),
    manifest_read: s.flag('False: the manifest has errors or is missing, and nothing counts as declared.'),
    warnings: s.list('What is shown otherwise than it may be.', s.text('One sentence, without a full stop.')),
    failures: s.list('Why not everything could be read: exit code 1.', s.text('What the service answered.')),
    kinds: s.list('The kinds that were asked for.', kindCount),
    resources: s.orNull(s.list('Null for the license as a whole.', object)),
    refers_to: s.orNull(s.list('References of one resource; null otherwise.', reference)),
    referred_to_by: s.orNull(
      s.list('References to one resource, as far as they could be read; null otherwise.', reference),
    ),
    differences: s.orNull(
      s.list(
        'Of one that is declared: between what was applied, live and declared, as `drift --json` has them; null when they are not known.',
        s.typed<Difference>({ type: 'object' }),
      ),
    ),
    requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
    diagnostics: s.list('What is wrong with the files.', s.typed<Diagnostic>({ type: 'object' })),
  },
  { members },
);
export type Shown = s.ContentOf<typeof shown>;

export const showSchema = s.published('chatform show', shown);
