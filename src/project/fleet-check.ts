// Rules of `fleet:` beyond the schema.

import { milliseconds } from '../base/duration.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { isTimezone } from '../base/zone.ts';
import { zoneRemedy } from '../kinds/scheduler.ts';
import { at, type Emit, repeated } from '../yaml/diagnostics.ts';
import { REST } from './fleet-settings.ts';
import { checkDuration } from './settings.ts';

const SHARES = ['select', 'count', 'percent'] as const;

/** Loads croner where there is a window. */
export async function checkFleet(fleet: Json | undefined, emit: Emit): Promise<void> {
  if (!isObject(fleet)) return;
  checkWaves(isList(fleet['waves']) ? fleet['waves'] : [], emit);
  checkDrift(isList(fleet['drift']) ? fleet['drift'] : [], emit);
  const freeze = isList(fleet['freeze']) ? fleet['freeze'] : [];
  for (const [index, window] of freeze.entries()) if (isObject(window)) await checkWindow(window, index, emit);
}

/** Each check costs requests. */
const LEAST_EVERY = 60_000;

function checkDrift(entries: readonly Json[], emit: Emit): void {
  for (const [index, entry] of entries.entries()) {
    const every = isObject(entry) ? entry['every'] : undefined;
    const gap = typeof every === 'string' ? milliseconds(every) : null;
    const path = ['fleet', 'drift', index, 'every'];
    checkDuration(every, path, emit);
    if (gap === null || gap >= LEAST_EVERY) continue;
    emit(
      at(
        path,
        'value',
        'out-of-range',
        `\`${every}\` is too often, because every check costs requests`,
        'use at least 1m',
      ),
    );
  }
}

function checkWaves(waves: readonly Json[], emit: Emit): void {
  const known = waves.flatMap((wave, index) => (isObject(wave) ? [{ wave, index }] : []));
  const named = known.filter(({ wave }) => typeof wave['name'] === 'string');
  for (const { item, first } of repeated(named, ({ wave }) => String(wave['name']))) {
    const message = `two waves are called \`${item.wave['name']}\``;
    const related = [
      { path: ['fleet', 'waves', first.index, 'name'], part: 'value', message: 'the first one' } as const,
    ];
    const found = at(['fleet', 'waves', item.index, 'name'], 'value', 'duplicate-name', message, 'rename one of them');
    emit({ ...found, related });
  }
  for (const { wave, index } of known) {
    checkDuration(wave['hold'], ['fleet', 'waves', index, 'hold'], emit);
    const [first, second] = SHARES.filter((share) => wave[share] !== undefined);
    if (second !== undefined) {
      const message = `a wave takes its licenses by \`${first}\` or by \`${second}\``;
      emit(at(['fleet', 'waves', index, second], 'key', 'exclusive-fields', message, 'remove one of them'));
    }
    if (first === undefined && index < waves.length - 1) {
      const message = 'this wave takes all licenses that are left, so no later wave has any';
      const remedy = 'add `select`, `count` or `percent`, or make it the last wave';
      emit(at(['fleet', 'waves', index], 'key', 'contradiction', message, remedy));
    }
    if (first !== undefined && wave['name'] === REST) {
      const message = `\`${REST}\` is the wave of the licenses that no other wave takes`;
      emit(at(['fleet', 'waves', index, 'name'], 'value', 'not-allowed', message, `rename it, or remove \`${first}\``));
    }
  }
}

async function checkWindow({ cron, duration, zone }: JsonObject, index: number, emit: Emit): Promise<void> {
  const path = (member: string) => ['fleet', 'freeze', index, member];
  if (typeof zone === 'string' && zone !== '' && !isTimezone(zone)) {
    const message = `\`${zone}\` is not an IANA time zone`;
    emit(at(path('zone'), 'value', 'bad-timezone', message, zoneRemedy(zone)));
  }
  checkDuration(duration, path('duration'), emit, false);
  if (typeof cron !== 'string' || cron === '') return;
  const wrong = await cronMistake(cron);
  if (wrong !== null) emit(at(path('cron'), 'value', 'bad-format', wrong, 'write five fields, such as `0 16 * * 5`'));
}

/** Null for a time that comes. */
async function cronMistake(text: string): Promise<string | null> {
  const { Cron } = await import('croner');
  try {
    const cron = new Cron(text, { mode: '5-part', paused: true, timezone: 'UTC' });
    return cron.nextRun() === null ? `there is no time \`${text}\`` : null;
  } catch {
    return `\`${text}\` is no cron expression`;
  }
}
