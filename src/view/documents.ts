// The JSON documents that `--json` prints, complete on success and on failure.

import { contentOf } from '../base/content.ts';
import { type Diagnostic, FORMAT_VERSION } from '../base/model.ts';
import { jsonPieces, textOf } from '../base/pieces.ts';
import type { FollowReport } from '../features/report/since/schema.ts';
import type { RotateReport, RotationResult } from '../features/secrets/rotate-operation.ts';
import type { IssuedToken } from '../features/secrets/token-operation.ts';
import type { RescueDone, SecretOwner } from '../features/secrets/view.ts';
import type { CustomerView } from '../features/test/customer/schema.ts';
import type { Undoing } from '../features/undo/undo.ts';
import type { UndoRequest } from '../ledger/footprint.ts';
import type { FoundLease } from '../target/lock.ts';
import type { RequestCounts } from './terminal/layout.ts';

/** Members of a document, by name. */
export interface DocumentMembers {
  readonly [member: string]: unknown;
}

/** Characters of a document that a person may read. A larger one is not indented, which makes it half as large. */
const READABLE = 1_000_000;

/** A document of a command, with its version. It ends with its diagnostics. */
export function commandDocument(
  members: DocumentMembers,
  diagnostics: readonly Diagnostic[] = [],
  errored = false,
): string {
  return textOf(documentPieces(members, diagnostics, errored));
}

/** The same in pieces, for one that may be long. */
export function* documentPieces(
  members: DocumentMembers,
  diagnostics: readonly Diagnostic[],
  errored: boolean,
): Generator<string> {
  const content = contentOf({ format_version: FORMAT_VERSION, errored, ...members, diagnostics });
  const first: string[] = [];
  let length = 0;
  for (const piece of jsonPieces(content)) {
    const wasReadable = length <= READABLE;
    length += piece.length;
    if (wasReadable) first.push(piece);
    if (length > READABLE) yield wasReadable ? first.join('') : piece;
  }
  if (length <= READABLE) yield* jsonPieces(content, '  ');
  yield '\n';
}

/** Why nothing was done. */
export function failureDocument(message: string, diagnostics: readonly Diagnostic[]): string {
  return commandDocument({ message }, diagnostics, true);
}

/** `undo` of the document of an undo. */
export function undoMember({
  run,
  begun,
  resources,
  orderChangedSince,
}: UndoRequest & Pick<Undoing, 'resources' | 'orderChangedSince'>) {
  const { id, at, command, outcome, finished } = run;
  return {
    run: id,
    at,
    command,
    outcome,
    finished,
    begun_by: begun?.id ?? null,
    resources,
    order_changed_since: orderChangedSince,
  };
}

/** `customers` of the document of an apply: as `test --on customer --json` prints it. */
export function customerMember(view: CustomerView, requests: RequestCounts): DocumentMembers {
  return { format_version: FORMAT_VERSION, errored: false, ...view, requests_sent: requests, diagnostics: [] };
}

/** `chats` of the document of an apply: as `report --since --json` prints it. */
export function chatsMember(report: FollowReport, requests: RequestCounts): DocumentMembers {
  return { format_version: FORMAT_VERSION, errored: false, ...report, requests_sent: requests, diagnostics: [] };
}

/** What `ledger lock` and `ledger unlock` found. */
export function leaseDocument(
  { ledger, state, record, openFrom }: FoundLease,
  { errored = false, ...more }: DocumentMembers & { readonly errored?: boolean } = {},
): string {
  const lease =
    record === null
      ? null
      : {
          generation: record.generation,
          holder: record.holder,
          since: record.since,
          renewed: record.renewed,
          open_from: openFrom,
        };
  return commandDocument({ ...more, ledger, state, lease }, [], errored);
}

/** What `secrets rotate` did, without a secret. */
export function rotateDocument(
  { outcome, results, failure }: RotateReport,
  { target, sink, requests }: { readonly target: string; readonly sink: string; readonly requests: RequestCounts },
): string {
  const secrets = results.map((result) => ({
    address: result.address,
    id: result.id,
    state: result.state,
    path: result.state === 'rescued' ? result.path : null,
    reason: reasonOf(result),
  }));
  const message = failure?.message ?? null;
  return commandDocument({ target, sink, outcome, message, secrets, requests_sent: requests }, [], outcome !== 'done');
}

function reasonOf(result: RotationResult): string | null {
  switch (result.state) {
    case 'kept':
    case 'due':
      return null;
    case 'refused':
      return `${result.failure.type}: ${result.failure.message}`;
    default:
      return result.reason;
  }
}

/** What `secrets token` did, without the token. */
export function tokenDocument(
  { address, id, state, until, reason, requests }: IssuedToken,
  { target, sink }: { readonly target: string; readonly sink: string },
): string {
  const token = { address, id, state, until, reason };
  return commandDocument({ target, sink, token, requests_sent: requests }, [], state !== 'kept');
}

/** What `secrets rescue` did, without a secret. */
export function rescueDocument({ target, sink, files, current, outdated }: RescueDone): string {
  const named = (owners: readonly SecretOwner[]) => owners.map(({ address, id }) => ({ address, id }));
  return commandDocument({ target, sink, secrets: named(current), dropped: named(outdated), removed: files });
}
