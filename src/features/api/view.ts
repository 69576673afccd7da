// The terminal text of `chatform api`: what is about to be sent, and what a person must know of its end.

import type { Json } from '../../base/model.ts';
import { counted, thousands } from '../../base/text.ts';
import type { Paint } from '../../view/paint.ts';
import { inert, plain } from '../../view/plain.ts';
import { capped } from '../../view/terminal/layout.ts';
import type { PreparedAction } from './read-action.ts';

/** Lines of a request that a question shows. */
const MOST_LINES = 60;

/** Before and after a write. */
const BEHIND_THE_LEDGER = {
  before: 'The ledger will not know of it: the next plan shows what it changes on the license.',
  after: 'The ledger does not know of it: the next plan shows what it changed on the license.',
} as const;

/** The reply of the service, as JSON that no terminal obeys. */
export function replyText(reply: Json): string {
  return `${inert(JSON.stringify(reply, null, 2))}\n`;
}

/** What would be sent, and where. */
export function sendQuestion(
  { settings, through, access, name, named, shown, headers, upload }: PreparedAction,
  { reveal }: { readonly reveal: boolean },
  paint: Paint,
): string {
  const { action } = named;
  return [
    paint('strong', `Target ${plain(settings.name)}  ${plain(settings.baseUrl)}`),
    `${action.method ?? 'POST'} /v${access.version}/${through.api.path}/${name}`,
    ...Object.entries(headers).map(([header, text]) => plain(`${header}: ${text}`)),
    ...(upload === null
      ? capped(replyText(shown).trimEnd().split('\n'), MOST_LINES)
      : [plain(`file: ${upload.name}, ${upload.type}, ${thousands(upload.size)} bytes`)]),
    ...(action.answersSecret && !reveal
      ? ['', paint('warning', 'The reply has a secret that the service tells only once. Without --reveal it is lost.')]
      : []),
    ...(through.isPlanned ? ['', BEHIND_THE_LEDGER.before] : []),
  ].join('\n');
}

/** What a reply does not say: lines, or nothing. */
export function sentText(
  { named, through }: Pick<PreparedAction, 'named' | 'through'>,
  { withheld, unrecorded, isChanged }: SentFacts,
  paint: Paint,
): string {
  const { effect, answersSecret } = named.action;
  const isWrite = effect !== 'read';
  const remark = answersSecret
    ? ' The service tells it only once.'
    : isWrite
      ? ''
      : ' --reveal prints the whole reply.';
  const lines = [
    ...(withheld > 0 ? [`Withheld: ${counted(withheld, 'secret')}.${remark}`] : []),
    ...(isWrite && isChanged && through.isPlanned ? [BEHIND_THE_LEDGER.after] : []),
    ...(unrecorded === null
      ? []
      : [`${paint('warning', 'Warning:')} the ledger has no record of this run: ${plain(unrecorded)}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What is known of an action that was sent. */
interface SentFacts {
  /** Secrets that were taken out of the reply. */
  readonly withheld: number;
  /** Why the ledger has no record of it; null when it has one, or needs none. */
  readonly unrecorded: string | null;
  /** It changed something, or may have. */
  readonly isChanged: boolean;
}

/** What to do after a write that may have taken effect. */
export function unknownEffectText({
  name,
  named,
  through,
}: Pick<PreparedAction, 'name' | 'named' | 'through'>): string {
  const { effect, namesItsObject, answersSecret, shownBy } = named.action;
  const unknown = `it is unknown whether ${name} took effect`;
  if (effect !== 'create' && answersSecret) return `${unknown}; send it again: the secret of the last answer is valid`;
  if (effect !== 'create' || namesItsObject === true) return `${unknown}; sending it again does no harm`;
  if (shownBy === undefined) return `${unknown}, and no action shows it; sending it again may do it twice`;
  const flag = through.flag === null ? '' : ` ${through.flag}`;
  return `${unknown}; look with \`chatform api ${shownBy}${flag}\` before you send it again, which may do it twice`;
}
