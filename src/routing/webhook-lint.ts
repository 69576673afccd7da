// Lints of webhooks, bots and states of one client: one without the other, or switched off by it. Of what the files declare.

import { groupedBy } from '../base/grouped.ts';
import type { DesiredResource, LintId } from '../base/model.ts';
import { bot } from '../kinds/bot.ts';
import { botTemplate } from '../kinds/bot-template.ts';
import { ABOUT_BOTS, webhook } from '../kinds/webhook.ts';
import { webhookState } from '../kinds/webhook-state.ts';
import type { LintFinding, PlaceOf } from './finding.ts';

type Declared = Pick<DesiredResource, 'address' | 'kind' | 'spec'>;

const MISSING: LintId = 'bots-without-webhooks';
const USELESS: LintId = 'bot-webhook-without-bot';
const OFF: LintId = 'webhook-switched-off';

/** `writes`: whether this target writes the webhooks of a client; the bots and the states of another one may be on other licenses. */
export function webhookLints(
  resources: readonly Declared[],
  writes: (client: string) => boolean,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  const webhooks = resources.filter(({ kind }) => kind === webhook.name);
  // Where no webhook is declared, none is managed here.
  if (webhooks.length === 0) return [];
  const bots = resources.filter(({ kind }) => kind === bot.name || kind === botTemplate.name);
  return [
    ...useless(webhooks, bots, writes, placeOf),
    ...missing(webhooks, bots, placeOf),
    ...switchedOff(webhooks, resources, writes, placeOf),
  ];
}

/** Webhooks for bots that are never called. */
function useless(
  webhooks: readonly Declared[],
  bots: readonly Declared[],
  writes: (client: string) => boolean,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  return webhooks.flatMap(({ address, spec }): readonly LintFinding[] => {
    const client = clientOf({ spec });
    if (spec['type'] !== ABOUT_BOTS || client === null || !writes(client)) return [];
    // A bot that names no client belongs to that of the token.
    const own = bots.filter((each) => [client, null].includes(clientOf(each)));
    if (own.some(({ spec: { routing_status: status } }) => status !== 'offline')) return [];
    const [message, remedy] =
      own.length === 0
        ? [
            `\`${client}\` has no bot in these files, so it is never called`,
            'declare the bot, or make it `type: license`',
          ]
        : [
            `each bot of \`${client}\` is declared \`offline\`, so it is never called`,
            'declare `routing_status: accepting_chats` of a bot',
          ];
    return [
      { id: USELESS, about: [address, ...own.map((each) => each.address)], place: placeOf(address), message, remedy },
    ];
  });
}

/** License webhooks of clients whose license webhooks are declared off. */
function switchedOff(
  webhooks: readonly Declared[],
  resources: readonly Declared[],
  writes: (client: string) => boolean,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  const states = new Map<string, Declared>(resources.map((each) => [each.address, each]));
  return webhooks.flatMap(({ address, spec }): readonly LintFinding[] => {
    const client = clientOf({ spec });
    if (spec['type'] === ABOUT_BOTS || client === null || !writes(client)) return [];
    const state = states.get(`${webhookState.name}/${client}`);
    if (state?.spec['enabled'] !== false) return [];
    return [
      {
        id: OFF,
        about: [address, state.address],
        place: placeOf(address),
        message: `the license webhooks of \`${client}\` are declared off, so this license never sends it`,
        remedy: `declare \`enabled: true\` of ${state.address}, or remove the webhook`,
      },
    ];
  });
}

/** Bots of clients that are told nothing, where other clients are. */
function missing(webhooks: readonly Declared[], bots: readonly Declared[], placeOf: PlaceOf): readonly LintFinding[] {
  const clients = new Set(webhooks.map(clientOf));
  const silent = groupedBy(
    bots.filter((each) => clientOf(each) !== null && !clients.has(clientOf(each))),
    clientOf,
  );
  return [...silent].map(([client, own]) => ({
    id: MISSING,
    about: own.map(({ address }) => address),
    place: placeOf(own[0]?.address ?? ''),
    message: `\`${client}\`, the client of ${own.map(({ address }) => address).join(', ')}, has no webhook in these files`,
    remedy: 'declare one of `type: bot`, so that the client is told of its chats',
  }));
}

function clientOf({ spec: { owner_client_id: client } }: Pick<Declared, 'spec'>): string | null {
  return typeof client === 'string' ? client : null;
}
