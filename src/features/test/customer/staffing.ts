// What takes the token of a customer: the statuses of groups next to their declared hours, the forms before a chat, and who would answer.
// Specification of the Customer Chat Web API: "Status and other"; customer-and-reports-notes.md, section 4, rule 2.

import { isList, isObject } from '../../../base/json.ts';
import type { Address, Json } from '../../../base/model.ts';
import { counted, inNfc } from '../../../base/text.ts';
import { rowOf } from '../../../kinds/wire.ts';
import { declaredPlaces } from '../../../routing/staff/placed.ts';
import { type Reached, recipients } from '../../../routing/staff/recipients.ts';
import { type Staff, staffOf } from '../../../routing/staff/staff.ts';
import {
  type Answers,
  askedText,
  type CustomerQuestion,
  formQuestion,
  PREDICTION,
  result,
  STATUSES,
  statusesIn,
  unseen,
  welcomeQuestion,
} from './questions.ts';
import { hasPlace } from './routes.ts';
import type { Checked, CustomerCheck } from './schema.ts';
import { type CustomerSubject, DEFAULT_GROUP, declaredGroups, groupCalled, groupId, sourceAt } from './subject.ts';

/** One request for all statuses, one for the form of each group, and one for each prediction. */
export function customerQuestions(subject: CustomerSubject): readonly CustomerQuestion[] {
  if (!subject.hasCustomer) return [];
  const groups = declaredGroups(subject);
  return [
    ...(groups.length === 0 ? [] : [STATUSES]),
    ...groups.map(({ id }) => formQuestion(id)),
    ...(subject.predicts ? predictionQuestions(subject) : []),
  ];
}

/** With a welcome message it is asked about each group that a route expects; `get_predicted_agent` tells of one agent only, wherever the customer is. */
function predictionQuestions(subject: CustomerSubject): readonly CustomerQuestion[] {
  if (!subject.predictsByGroup) return [PREDICTION];
  return predictedGroups(subject).map(welcomeQuestion);
}

function predictedGroups(subject: CustomerSubject): readonly number[] {
  const expected = subject.routes
    .filter((route) => !hasPlace(route))
    .flatMap(({ expect }) => (expect.length === 0 ? [DEFAULT_GROUP] : expect.map((each) => groupId(subject, each))));
  const known = expected.filter((id) => id !== null);
  return known.length === 0 ? [DEFAULT_GROUP] : [...new Set(known)];
}

const NO_TOKEN = 'it takes the token of a customer';

export function customerResults(subject: CustomerSubject, answers: Answers): readonly Checked[] {
  const groups = declaredGroups(subject);
  const customer = { as: 'customer' } as const;
  if (!subject.hasCustomer) {
    const wanted: readonly CustomerCheck[] = [
      ...(groups.length === 0 ? [] : (['status', 'form'] as const)),
      ...(subject.predicts ? (['prediction'] as const) : []),
    ];
    return wanted.map((check) => unseen(check, 'no-token', WANTED[check] ?? check, NO_TOKEN, customer));
  }
  const staff = staffOf(declaredPlaces(subject.desired), { ...subject.staffed, isRead: false });
  return [
    ...statusResults(subject, answers, staff),
    ...groups.flatMap(({ address, id }) => formResult(address, id, subject, answers)),
    ...(subject.predicts ? predictionResults(subject, answers, staff) : []),
  ];
}

const WANTED: { readonly [check in CustomerCheck]?: string } = {
  status: 'statuses of groups',
  form: 'forms before a chat',
  prediction: 'predicted agents',
};

const STATUS_TEXTS: ReadonlyMap<string, string> = new Map([
  ['online', 'online'],
  ['online_for_queue', 'takes chats into its queue'],
  ['offline', 'offline'],
]);

function statusResults(subject: CustomerSubject, answers: Answers, staff: Staff): readonly Checked[] {
  const statuses = statusesIn(answers);
  const asked = askedText(STATUSES);
  if (statuses === null || 'gone' in statuses) return [];
  if ('hindrance' in statuses)
    return [unseen('status', statuses.hindrance, 'statuses of groups', statuses.reason, { asked, as: 'customer' })];
  return declaredGroups(subject).flatMap(({ address, id }): readonly Checked[] => {
    const [reached] = recipients(staff, [address], subject.staffed.at);
    const source = sourceAt(subject, address);
    const status = statuses.seen.get(id);
    const about = { asked, source, as: 'customer', expected: null, found: status ?? 'no such group' } as const;
    if (status === undefined)
      return [result('status', 'differs', address, `customers have no group ${id}`, { ...about, expected: 'a group' })];
    const said = STATUS_TEXTS.get(status);
    if (said === undefined)
      return [result('status', 'reported', address, `has the status ${status}, which chatform does not know`, about)];
    const odd = reached === undefined ? null : oddness(status === 'offline', reached);
    return odd === null
      ? [result('status', 'ok', address, said, about)]
      : [result('status', 'reported', address, `${said}, ${odd}`, about)];
  });
}

/** How a status differs from the declared hours; null where it fits, or the hours say nothing. */
function oddness(isOffline: boolean, { members, complete }: Reached): string | null {
  const serving = members.filter(({ barred }) => barred === null);
  if (isOffline) {
    const working = serving.filter(({ at_work: works }) => works === true);
    const certain = working.filter(({ may_be_barred: doubt }) => doubt === null);
    if (working.length === 0) return null;
    return certain.length > 0
      ? `although ${counted(certain.length, 'member')} should be at work by the declared hours`
      : `although ${counted(working.length, 'bot')} should be at work by the declared hours: a bot gets no chats until its routing status is set`;
  }
  const mayBeThere = !complete || serving.some(({ at_work: works }) => works !== false);
  return mayBeThere ? null : 'although no member should be at work by the declared hours';
}

/** Groups that a form offers and that do not exist. Nothing is told of a form that is as it should be, or off. */
function formResult(address: Address, id: number, subject: CustomerSubject, answers: Answers): readonly Checked[] {
  const question = formQuestion(id);
  const answer = answers.get(askedText(question));
  const existing = statusesIn(answers);
  const about = { asked: askedText(question), source: sourceAt(subject, address), as: 'customer' } as const;
  if (answer === undefined || existing === null || !('seen' in existing)) return [];
  // The status of the group tells that it is gone; another refusal is told.
  if ('error' in answer)
    return answer.error.type === 'authorization'
      ? [unseen('form', 'refused', address, `the service refuses its form: ${answer.error.message}`, about)]
      : [];
  const offered = chosenGroups(rowOf(question.action, answer.ok).raw('form'));
  const missing = offered.filter((group) => !existing.seen.has(group));
  const expected = 'groups that exist';
  if (missing.length > 0) {
    const names = missing.map((group) => `group ${group}`).join(', ');
    const said = `the form before a chat offers ${names}, which ${missing.length === 1 ? 'does' : 'do'} not exist`;
    return [result('form', 'differs', address, said, { ...about, expected, found: names })];
  }
  if (offered.length === 0) return [];
  const names = offered.map((group) => groupCalled(subject, group)).join(', ');
  return [
    result('form', 'ok', address, `the form before a chat offers ${names}`, { ...about, expected, found: names }),
  ];
}

/** The groups that the fields of a form let a customer choose. */
function chosenGroups(form: Json | undefined): readonly number[] {
  const fields = isObject(form) && isList(form['fields']) ? form['fields'] : [];
  const options = fields.flatMap((field) => (isObject(field) && isList(field['options']) ? field['options'] : []));
  const ids = options.flatMap((option) =>
    isObject(option) && typeof option['group_id'] === 'number' ? [option['group_id']] : [],
  );
  return [...new Set(ids)];
}

function predictionResults(subject: CustomerSubject, answers: Answers, staff: Staff): readonly Checked[] {
  if (!subject.predictsByGroup) return [predictionResult(PREDICTION, 'this customer', null, answers)];
  return predictedGroups(subject).map((id) => {
    const called = groupCalled(subject, id);
    const [reached = null] = id === DEFAULT_GROUP ? [] : recipients(staff, [called], subject.staffed.at);
    return predictionResult(welcomeQuestion(id), called, reached, answers);
  });
}

/** Customers are told names, and no ids of the Configuration API, so members are told apart by their names alone. */
function predictionResult(
  question: CustomerQuestion,
  subject: string,
  group: Reached | null,
  answers: Answers,
): Checked {
  const answer = answers.get(askedText(question));
  const about = { asked: askedText(question), as: 'customer' } as const;
  if (answer === undefined) return unseen('prediction', 'refused', subject, 'it was not asked', { as: 'customer' });
  if ('error' in answer) {
    const { type, message } = answer.error;
    return type.startsWith('group')
      ? result('prediction', 'reported', subject, `no agent would answer: ${message}`, { ...about, found: type })
      : unseen(
          'prediction',
          'not-logged-in',
          subject,
          `the service predicts for customers who are logged in only: ${message}`,
          about,
        );
  }
  const row = rowOf(question.action, answer.ok);
  const agent = rowOf(question.action, row.raw('predicted_agent') ?? row.raw('agent') ?? {}, 'predicted_agent');
  const name = String(agent.raw('name') ?? '');
  const who = name === '' ? 'an agent whom the service does not name would answer' : `${name} would answer`;
  const said = row.raw('queue') === true ? `${who}, after a wait in the queue` : who;
  const named = { ...about, found: name };
  if (group === null || name === '' || !group.complete) return result('prediction', 'reported', subject, said, named);
  const same = group.members.filter((member) => member.name === inNfc(name));
  if (same.length === 0)
    return result('prediction', 'reported', subject, `${said}, and no declared member has that name`, named);
  const doubt = same.length === 1 ? '' : `, one of ${same.length} of that name`;
  return result('prediction', 'ok', subject, `${said}${doubt}`, named);
}
