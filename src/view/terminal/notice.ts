// Notices of a run, as lines for a person.

import { assertNever } from '../../base/errors.ts';
import { counted, few, holderText } from '../../base/text.ts';
import type { LeaseRecord } from '../../ledger/lease.ts';
import type { RunNotice } from '../../target/context.ts';
import type { FoundLease } from '../../target/lock.ts';
import type { Paint } from '../paint.ts';
import { plain, time } from '../plain.ts';
import { workText } from './progress.ts';

/** One line, without its end. */
export function noticeText(notice: RunNotice, paint: Paint): string {
  switch (notice.type) {
    case 'working':
      return workText(notice, 0);
    case 'version-stage':
      return stageText(notice, paint);
    case 'retry': {
      const { action, failure, pause } = notice;
      return paint('faint', `${action} failed (${failure}), trying again in ${(pause / 1000).toFixed(1)} s`);
    }
    case 'unsettled': {
      const seconds = Math.round(notice.elapsed / 1000);
      return `Waiting for recent writes to show... [${seconds} s] (${few(notice.subjects, 3)})`;
    }
    case 'new-ledger': {
      const seconds = Math.ceil(notice.wait / 1000);
      return `The ledger is new, and cannot know what another run created moments ago: waiting ${seconds} s (--assume-settled skips this)`;
    }
    case 'other-run':
      return `Waiting for ${plain(holderText(notice.holder))} to end, or for its lease to end at ${notice.until}: a reading in the middle of a run is no drift.`;
    case 'waiting-for-lease':
      return `Waiting until ${time(notice.until)} at most for the lease of ${plain(holderText(notice.holder))}.`;
    case 'waiting-for-database':
      return `PostgreSQL at ${plain(notice.server)} does not answer: waiting for it to come back.`;
    case 'waiting-for-migration':
      return `Another process migrates the database at ${plain(notice.server)}: waiting for it to end.`;
    case 'lease-taken-over':
      return warning(
        `the lease took over from ${plain(holderText(notice.holder))}, which ended without giving it back`,
        paint,
      );
    case 'lease-not-released':
      return warning(`the lease could not be given back, and ends by itself: ${plain(notice.reason)}`, paint);
    case 'visitor':
      return `This leaves a visitor in the list of visitors of ${plain(notice.target)}.`;
    case 'reports':
      return `Reading the chats of ${counted(notice.groups, 'group')}: about ${counted(notice.requests, 'request')}, each is billed.`;
    case 'license-doubt':
      return warning(`${plain(notice.reason)}; check the plan, and the base_url and the token of the target`, paint);
    case 'certificates-checked':
      return warning(
        `${notice.variable}=0 is ignored: certificates are always checked. Remove it, and name your own authority in NODE_EXTRA_CA_CERTS`,
        paint,
      );
    case 'following':
      return `Following: the reports show ${notice.hours} of ${counted(notice.wanted, 'hour')}, and all of them at ${notice.until}. Press Ctrl-C to compare what they show now.`;
    case 'manifest-changed':
      return warning(
        `the manifest changed since ${plain(notice.file)} was saved; every remaining change was approved`,
        paint,
      );
  }
}

function warning(message: string, paint: Paint): string {
  return `${paint('warning', 'Warning:')} ${message}`;
}

/** Why a run did nothing, and how to go on: `release` is the command that ends this lease. */
export function lockedText({ subject, ledger, record, openFrom, ahead }: FoundLease): string {
  const who = record === null ? 'another run' : `${plain(holderText(record.holder))} ${timesText(record, openFrom)}`;
  const unlock = `chatform ledger unlock --ledger ${plain(ledger)}`;
  const isByHand = record?.holder.reason !== undefined;
  return [
    `${plain(subject)} is locked by ${who}`,
    isByHand
      ? `  wait until then, or ask that person to run: ${unlock}`
      : `  wait until that run has ended, as --lock-timeout 5m does; if it is certain that it is dead, run: ${unlock}`,
    ...(ahead === null ? [] : [`  the clock of that machine is ${Math.round(ahead / 1000)} s ahead of this one`]),
  ].join('\n');
}

/** Since when, and until when, a lease is held. */
export function timesText({ since, holder }: LeaseRecord, openFrom: string | null): string {
  const renewable = holder.reason === undefined ? ' unless it is renewed' : '';
  return plain(`since ${since}, until ${openFrom}${renewable}`);
}

function stageText(notice: Extract<RunNotice, { readonly type: 'version-stage' }>, paint: Paint): string {
  const { api, version, stage, ends, isOver } = notice;
  const subject = `version ${version} of the ${api}`;
  switch (stage) {
    case 'stable':
      return `V${subject.slice(1)} is the stable version: the service announces no end.`;
    case 'preview':
      return warning(`${subject} is a preview: the service may change it`, paint);
    case 'unknown':
      return warning(`${subject} is older than the stable version, and the service does not say when it ends`, paint);
    case 'legacy':
    case 'deprecated': {
      const end =
        ends === null ? 'ends on a date that the service does not say' : `${isOver ? 'ended' : 'ends'} on ${ends}`;
      return warning(`${subject} is ${stage === 'legacy' ? 'a legacy version' : stage}; this stage ${end}`, paint);
    }
    default:
      return assertNever(stage);
  }
}
