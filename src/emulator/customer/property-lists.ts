// Properties of the license and of groups as customers may read them. Specification: "Properties".

import { customerValues } from '../configuration/property-values.ts';
import { int, object, optional, string } from '../engine/shape.ts';
import { type CustomerKind, readAction } from './action.ts';
import { requireGroup } from './group-view.ts';

/** `name` is exact; the Configuration API has a prefix. customer-and-reports-notes.md, section 2. */
const filter = { namespace: optional(string), name: optional(string) };

const actions = [
  readAction('list_license_properties', object(filter), {
    token: 'none',
    inQuery: true,
    run: (given, context) => customerValues(context, null, given),
  }),
  readAction('list_group_properties', object({ id: int(0), ...filter }), {
    token: 'none',
    inQuery: true,
    run: ({ id, ...given }, context) => customerValues(context, requireGroup(context, id).id, given),
  }),
];

export const propertyListKind = { tables: [], actions } satisfies CustomerKind;
