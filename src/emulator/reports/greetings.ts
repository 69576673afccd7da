// Greetings from which chats were started, by the marks of the widget. customer-and-reports-notes.md, section 4, rule 14.

import type { PropertyValues, ThreadRecord } from '../chats/records.ts';
import { greetingNamed, shownTable } from '../customer/greetings.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import type { ReportSettings } from './settings.ts';

export interface StartedFrom {
  /** As filters name the greeting: its id, and the unique id of the one that was shown. */
  readonly ids: readonly string[];
  readonly unique_id: string | undefined;
  /** Of the greeting; undefined where it is not known any more. */
  readonly group_id: number | undefined;
  /** When it was shown, in ms; undefined where that is not known. */
  readonly shown_at: number | undefined;
}

/** The greeting that a thread was started from: its properties say it, or those of an event of the customer. */
export function greetingOf(
  license: EmulatedLicense,
  { properties, events }: ThreadRecord,
  { widgetNamespace }: ReportSettings,
): StartedFrom | undefined {
  let mark = markOf(properties, widgetNamespace);
  for (const event of events) mark ??= markOf(event.properties, widgetNamespace);
  if (mark === undefined) return undefined;
  const shown = mark.unique === undefined ? undefined : shownTable.of(license).get(mark.unique);
  const id = shown?.greeting_id ?? mark.id;
  const known = id === undefined ? undefined : greetingNamed(license, id);
  return {
    ids: [id, mark.unique].flatMap((one) => (one === undefined ? [] : [String(one)])),
    unique_id: mark.unique,
    group_id: shown?.group_id ?? known?.group,
    shown_at: shown?.shown_at,
  };
}

interface GreetingMark {
  readonly id: number | undefined;
  readonly unique: string | undefined;
}

function markOf(properties: PropertyValues | undefined, namespace: string): GreetingMark | undefined {
  const values = properties?.[namespace];
  if (values === undefined) return undefined;
  const { greeting_id, greeting_unique_id } = values;
  const id = typeof greeting_id === 'number' ? greeting_id : undefined;
  const unique = typeof greeting_unique_id === 'string' ? greeting_unique_id : undefined;
  return id === undefined && unique === undefined ? undefined : { id, unique };
}
