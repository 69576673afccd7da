// Surveys: the forms that customers filled in a thread. Specification: "surveys"; customer-and-reports-notes.md, section 5.

import { isObject } from '../../base/json.ts';
import type { EventRecord, ThreadRecord } from '../chats/records.ts';
import { formTable } from '../customer/forms.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import type { SurveyCondition } from './request.ts';

/** An option that was chosen. */
export interface SurveyAnswer {
  readonly field: string;
  readonly option: string;
}

export interface FilledSurvey {
  /** Id of the form; undefined where the chat was anonymized. */
  readonly id: string | undefined;
  readonly type: SurveyCondition['type'];
  readonly at: number;
  readonly answers: readonly SurveyAnswer[];
}

/** As filters name an answer. */
export const answerId = ({ field, option }: SurveyAnswer): string => `${field}:${option}`;

/** The type that the event says, else that of the form of the license. */
function typeOf(license: EmulatedLicense, said: unknown, id: string | undefined): SurveyCondition['type'] {
  const form = formTable
    .of(license)
    .all()
    .find((one) => one.id === id);
  const name = String(said ?? form?.type ?? '').toLowerCase();
  if (/^pre/.test(name)) return 'pre_chat';
  return /^post/.test(name) ? 'post_chat' : undefined;
}

function answersOfField(field: unknown): readonly SurveyAnswer[] {
  const { id, answer, answers } = Object(field);
  const chosen: readonly unknown[] = Array.isArray(answers) ? answers : [answer];
  return chosen.flatMap((one) =>
    isObject(one) && typeof one['id'] === 'string' ? [{ field: String(id), option: one['id'] }] : [],
  );
}

function surveyOf(license: EmulatedLicense, { content, created_at }: EventRecord): FilledSurvey {
  const { form_id, form_type, fields } = content;
  const id = typeof form_id === 'string' ? form_id : undefined;
  const answers = Array.isArray(fields) ? fields.flatMap(answersOfField) : [];
  return { id, type: typeOf(license, form_type, id), at: created_at, answers };
}

/** The surveys of a thread, in order. */
export const surveysOf = (license: EmulatedLicense, { events }: ThreadRecord): readonly FilledSurvey[] =>
  events
    .filter(({ type, deleted }) => type === 'filled_form' && deleted !== true)
    .map((event) => surveyOf(license, event));
