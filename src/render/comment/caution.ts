// What a reviewer must not overlook in, a block that stands above everything else out. It shrinks last, and never to nothing: however long the plan is,
// each danger is counted, and named as long as names fit.

import { counted, few } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Referrer } from '../../plan/plan.ts';
import { code } from '../markdown-text.ts';
import { bytes, fitting, fullest } from './budget.ts';
import { routingCautions } from './routing.ts';
import type { Origin, Planned } from './subject.ts';
import { addressed, cut, placed } from './words.ts';

const DOES: { readonly [what in Caution['what']]: string } = {
  'data-loss': 'is replaced, and data is lost',
  irreversible: 'cannot be taken back',
  'other-licenses': 'reaches other licenses',
  destroy: 'is destroyed',
  credential: 'credential',
  access: 'access widened',
};

const COUNTED: { readonly [what in Caution['what']]: string } = {
  'data-loss': 'replaced with loss of data',
  irreversible: 'not to be taken back',
  'other-licenses': 'reaching other licenses',
  destroy: 'destroyed',
  credential: 'with a credential that begins, ends or is lost',
  access: 'with more access than before',
};

const LONGEST_MESSAGE = 400;
const MOST_REFERRERS = 8;

/** Empty when there is nothing to be careful about. */
export function cautionBlock(of: Planned, origin: Origin, room: number): string {
  const { cautions } = of;
  const routing = routingCautions(of);
  if (cautions.length + routing.length === 0) return '';
  const opening = `\n> [!CAUTION]\n> ${[...totals(cautions), ...routing.slice(0, 1).map(({ total }) => total)].join(' · ')}\n>\n`;
  const told = (lines: readonly string[]): string => lines.map((line) => `> - ${line}\n`).join('');
  const ways = [MOST_REFERRERS, 0].map((most) => () => {
    const lines = cautions.map((caution) => cautionLine(caution, origin, most));
    return `${opening}${told([...lines, ...routing.flatMap(({ lines: those }) => those)])}`;
  });
  const shortly = (): string => {
    const paths = told(routing.flatMap(({ lines }) => lines.slice(0, 3)));
    return `${opening}${named(cautions, room - bytes(opening) - bytes(paths))}${paths}`;
  };
  return fullest([...ways, shortly], room);
}

const CAUTION_ORDER = Object.keys(COUNTED) as readonly Caution['what'][];

function totals(cautions: readonly Caution[]): readonly string[] {
  return CAUTION_ORDER.flatMap((what) => {
    const count = cautions.filter((caution) => caution.what === what).length;
    return count === 0 ? [] : [`**${count}** ${COUNTED[what]}`];
  });
}

function cautionLine(caution: Caution, origin: Origin, mostReferrers: number): string {
  const { what, address, message, source, referred_by: referrers } = caution;
  const place = placed(source, origin);
  const at = place === '' ? '' : ` (${place})`;
  const why = message === '' ? '' : `: ${code(cut(message, LONGEST_MESSAGE))}`;
  return `${addressed(address)}${at} ${what === 'credential' || what === 'access' ? '— ' : ''}${DOES[what]}${why}${referred(referrers, mostReferrers)}`;
}

/** Who is left behind. */
function referred(referrers: readonly Referrer[], most: number): string {
  if (referrers.length === 0) return '';
  if (most === 0)
    return `; ${counted(referrers.length, 'object')} ${referrers.length === 1 ? 'refers' : 'refer'} to it`;
  const names = referrers.map(({ type, reference, name }) =>
    addressed(reference.startsWith(`${type}/`) ? reference : `${type} ${reference} ${JSON.stringify(name)}`),
  );
  return `; referred to by ${few(names, most)}`;
}

/** By what they are, each by its name alone for as long as that fits. */
function named(cautions: readonly Caution[], room: number): string {
  const groups = CAUTION_ORDER.flatMap((what) => {
    const those = cautions.filter((caution) => caution.what === what);
    const types = [...new Set(those.map(({ type }) => type))];
    return types.map((type) => those.filter((caution) => caution.type === type));
  });
  const heads = groups.map(([first, ...others]) =>
    first === undefined ? '' : `> - **${COUNTED[first.what]}**: ${others.length + 1} ${code(first.type)}: `,
  );
  const closings = groups.map((those) => `and ${those.length} more, which the plan itself names\n`);
  let left = room - bytes([...heads, ...closings].join(''));
  return groups
    .map((those, index) => {
      const names = those.map(({ address }) => `${addressed(address)}, `);
      const { text, left: hidden } = fitting(names, left);
      left -= bytes(text);
      const end = hidden === 0 ? '\n' : `and ${hidden} more, which the plan itself names\n`;
      return `${heads[index]}${hidden === 0 ? text.replace(/, $/, '') : text}${end}`;
    })
    .join('');
}
