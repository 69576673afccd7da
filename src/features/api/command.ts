// `chatform api`: one action of any API of the service, with the target's token, region, retries and time-outs.

import { type Command, Option } from '@commander-js/extra-typings';
import { ApiError, UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import {
  ACCOUNTS_URL,
  BASE_URL,
  collect,
  command,
  EXIT_CODES,
  type FlagsOf,
  TARGET,
  TIMEOUT,
} from '../../command/flags.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import type { TargetApi } from '../../license/apis.ts';
import type { SentAction } from './operation.ts';
import type { PreparedAction } from './read-action.ts';

const declare = (program: Command) =>
  program
    .command('api')
    .description('call one action of the service and print its reply')
    .addHelpText('after', `\n${EXIT_CODES}`)
    .argument('<action>', 'such as list_groups')
    .option('-d, --data <json>', 'the request: JSON, @FILE, or - for standard input (default: {})')
    .addOption(
      new Option('--agent', 'an action of the Agent Chat API, such as list_routing_statuses').conflicts('customer'),
    )
    .option('--customer', 'an action of the Customer Chat Web API, in the place of the Configuration API')
    .addOption(
      new Option('--reports', 'a report of the Reports API, such as chats/total_chats').conflicts([
        'agent',
        'customer',
      ]),
    )
    .option('--write', 'also send what is no read, after a question')
    .option('-y, --yes', 'send it without asking')
    .option('--reveal', 'print secrets of the reply, which are withheld otherwise')
    .option('--file <path>', 'the file that upload_file sends')
    .option('-H, --header <name: value>', 'a header of the request, such as "Referer: URL"; may be repeated', collect)
    .addOption(TARGET)
    .addOption(BASE_URL)
    .addOption(ACCOUNTS_URL)
    .option('--api-version <version>', 'version of the API, in the place of that of the target')
    .option('-q, --quiet', 'no progress')
    .addOption(TIMEOUT);

type Flags = FlagsOf<typeof declare>;

export const apiCommand = command(declare, api);

async function api(flags: Flags, terminal: Terminal, action: string): Promise<Result> {
  const [{ TARGET_APIS }, { prepareAction }, { sendAction }, { sendQuestion }, results] = await Promise.all([
    import('../../license/apis.ts'),
    import('./read-action.ts'),
    import('./operation.ts'),
    import('./view.ts'),
    import('../../command/result.ts'),
  ]);
  const asked = {
    action,
    through: apiOf(flags, TARGET_APIS) ?? TARGET_APIS.configuration,
    body: await requestIn(flags.data, terminal),
    headers: Object.fromEntries((flags.header ?? []).map(headerIn)),
    file: flags.file ?? null,
    version: flags.apiVersion ?? null,
    mayWrite: flags.write === true,
  };
  const prepared = await prepareAction(asked, flags, terminal);
  const reveal = flags.reveal === true;
  const agree = () => {
    const question = sendQuestion(prepared, { reveal }, terminal.paintErr);
    return results.confirm({ question, word: 'send', yes: flags.yes === true }, terminal);
  };
  const sent = await sendAction(prepared, { reveal, agree }, terminal);
  if ('stopped' in sent) return results.notDone(sent.stopped, terminal);
  return endedAction(prepared, sent, terminal);
}

/** The API whose flag is given: flags and APIs have the same names. */
function apiOf(flags: { readonly [flag: string]: unknown }, apis: { readonly [name: string]: TargetApi }) {
  return Object.entries(apis).find(([name]) => flags[name] === true)?.[1];
}

const REQUEST_FORM = 'write `{"name": "value"}`, @FILE, or - for standard input';

/** The request that `-d` says. @throws UsageError for what is no JSON object, with its place */
async function requestIn(data: string | undefined, terminal: Terminal): Promise<JsonObject> {
  if (data === undefined) return {};
  if (data === '@') throw new UsageError(`-d @ names no file; ${REQUEST_FORM}`);
  const { writtenJson } = await import('../../base/written-json.ts');
  const source = data === '-' ? 'standard input' : data.startsWith('@') ? data.slice(1) : '-d';
  const request = writtenJson(await textOf(data, terminal));
  if ('wrong' in request) throw new UsageError(`${source} is not JSON: ${request.wrong}; ${REQUEST_FORM}`);
  if (isObject(request.value)) return request.value;
  throw new UsageError(`${source} has no JSON object: ${REQUEST_FORM}`);
}

async function textOf(data: string, { input, signal }: Terminal): Promise<string> {
  if (data === '-') return input();
  if (!data.startsWith('@')) return data;
  const { textAt } = await import('../../base/disk.ts');
  return textAt(data.slice(1), { signal });
}

function headerIn(text: string): readonly [name: string, value: string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError('-H: write a header as "Name: value"');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

async function endedAction(
  prepared: PreparedAction,
  { end, unrecorded }: SentAction,
  terminal: Terminal,
): Promise<Result> {
  const [{ errorEnvelope, mayHaveActed }, text, { messageOf }, { plain }] = await Promise.all([
    import('./operation.ts'),
    import('./view.ts'),
    import('../../many/failure.ts'),
    import('../../view/plain.ts'),
  ]);
  if (!('failure' in end)) {
    const { reply, withheld, failures, slots } = end;
    const isRefused = failures.length > 0 && failures.length === slots && !failures.some(mayHaveActed);
    return {
      code: failures.length === 0 ? 0 : isRefused ? 1 : 6,
      ...(failures.length === 0 ? {} : { error: `${failures.length} of ${counted(slots, 'request')} failed` }),
      note: (paint) => text.sentText(prepared, { withheld, unrecorded, isChanged: !isRefused }, paint),
      document: null,
      text: () => text.replyText(reply),
      verbatim: true,
    };
  }
  const { failure } = end;
  const isWrite = prepared.named.action.effect !== 'read';
  const isUnknown = isWrite && mayHaveActed(failure);
  const isUnsent = isWrite && failure.type === 'aborted' && !isUnknown;
  const message = isUnsent ? `${plain(failure.message)}; nothing was changed` : messageOf(new ApiError(failure));
  return {
    code: terminal.signal.aborted ? 130 : isUnknown ? 6 : 1,
    error: isUnknown ? `${message}\n  ${text.unknownEffectText(prepared)}` : message,
    note: (paint) => text.sentText(prepared, { withheld: 0, unrecorded, isChanged: isUnknown }, paint),
    document: null,
    text: failure.status === null || failure.type === 'protocol' ? null : () => text.replyText(errorEnvelope(failure)),
    verbatim: true,
  };
}
