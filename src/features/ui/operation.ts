// `chatform ui`: the page of a license, live. Saved files are planned with the license as it was read before; it is read again where a person asks.

import { sumOf } from '../../base/grouped.ts';
import type { Diagnostic } from '../../base/model.ts';
import { counted, findingCounts } from '../../base/text.ts';
import { timestamp } from '../../base/week.ts';
import { MINUTE } from '../../base/zone.ts';
import { diagnosticsOf, messageOf } from '../../many/failure.ts';
import type { TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { policyOf, versionOf } from '../../view/html/shell.ts';
import { htmlPage } from '../../view/writers/html.ts';
import type { LiveState } from './in-browser/live.ts';
import { fileNeeds } from './needs.ts';
import type { LicensePage } from './page.ts';
import { type PageReading, pageAgain, readPage } from './read-page.ts';
import { savedFiles } from './read-saved.ts';
import { pageScript } from './read-script.ts';
import { type PageServer, servePage } from './serve-page.ts';
import { pageView } from './view.ts';

export interface LiveOptions extends PageReading {
  readonly choice: TargetChoice;
  readonly port: number;
  /** Milliseconds between two readings while a page is open; null: only where a person asks. */
  readonly refresh: number | null;
  readonly isNameless: boolean;
}

export interface LivePage extends PageServer {
  /** That a reading sends. */
  readonly requests: number;
  readonly isEmulator: boolean;
}

/** Milliseconds between two checks whether a file was saved. */
const PAUSE = 250;

/** Milliseconds after which an open page says again who is there now. */
const TURN = 5 * MINUTE;

const BEHIND = 'A run wrote to the license after it was read: read it again.';

/** Serves the page until it is closed. @throws as a reading does, and UsageError for a port that is taken */
export async function openPage(
  { choice, port, refresh, isNameless, ...reading }: LiveOptions,
  context: RunContext,
): Promise<LivePage> {
  const files = savedFiles(choice, context);
  const script = pageScript();
  const first = await readPage(await files.prepare(), reading, context);
  let { page: good, kept } = first;
  let shown = good;
  let says = wrongText(good) ?? savedText();
  let made = madeOf(shown);
  let isReading = false;
  let isUpdating = false;
  let turn: Promise<void> = Promise.resolve();

  function madeOf(page: LicensePage): { readonly html: Buffer; readonly version: string } {
    const text = htmlPage(pageView(page, { script, isNameless, isLive: true }));
    return { html: Buffer.from(text), version: versionOf(text) };
  }

  function wrongText({ diagnostics }: LicensePage): string | null {
    return errorsText(diagnostics, isNameless);
  }

  function savedText(): string {
    const at = timestamp(good.timezone, context.clock.now()).slice(0, 'YYYY-MM-DDTHH:MM'.length);
    return `The files are those of ${at.replace('T', ' ')} (${good.timezone}).`;
  }

  function show(page: LicensePage, text: string): void {
    shown = page;
    says = text;
    made = madeOf(shown);
    server.tell();
  }

  /** The last good page, without a plan. */
  function showFailure(error: unknown): void {
    const diagnostics = diagnosticsOf(error);
    const page = withoutPlan(good, diagnostics);
    show(page, wrongText(page) ?? messageOf(error));
  }

  /** Sends nothing. */
  async function update(): Promise<void> {
    try {
      const prepared = await files.prepare();
      const { settings, desired, diagnostics } = prepared;
      if (settings === null || desired === null) {
        const page = withoutPlan(good, diagnostics);
        show(page, wrongText(page) ?? 'The files have errors.');
        return;
      }
      const { page, isBehind } = await pageAgain(prepared, kept, context);
      good = page;
      show(page, wrongText(page) ?? (isBehind ? BEHIND : savedText()));
    } catch (error) {
      showFailure(error);
    }
  }

  async function readAgain(): Promise<void> {
    try {
      const read = await readPage(await files.prepare(), reading, context);
      isReading = false;
      // Every license has an owner.
      if (read.page.people.length === 0) return show(shown, notRead(read.page.unread.join('; ')));
      ({ page: good, kept } = read);
      show(good, wrongText(good) ?? savedText());
    } catch (error) {
      isReading = false;
      if (diagnosticsOf(error).length > 0) showFailure(error);
      else show(shown, notRead(messageOf(error)));
    }
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work);
    return turn;
  };
  const onRead = (): void => {
    if (isReading) return;
    isReading = true;
    server.tell();
    void inTurn(readAgain);
  };
  const updateInTurn = (): void => {
    if (isUpdating) return;
    isUpdating = true;
    void inTurn(update).finally(() => {
      isUpdating = false;
    });
  };
  const state = (): string =>
    JSON.stringify({
      says,
      version: made.version,
      requests: sumOf(kept.requests),
      isReading,
      isWrong: wrongText(shown) !== null,
    } satisfies LiveState);
  const server = await servePage(port, { html: () => made.html, policy: policyOf(script, true), state, onRead });
  const ends = [
    context.every(PAUSE, () => {
      if (!isUpdating && files.areSaved()) updateInTurn();
    }),
    context.every(TURN, () => {
      if (server.listeners() > 0) updateInTurn();
    }),
    ...(refresh === null ? [] : [context.every(refresh, () => server.listeners() > 0 && onRead())]),
  ];
  return {
    ...server,
    requests: sumOf(first.requests),
    isEmulator: good.isEmulator,
    close: async () => {
      for (const end of ends) end();
      await server.close();
      await turn;
    },
  };
}

/** What the license has, and the errors of the files. */
function withoutPlan(good: LicensePage, diagnostics: readonly Diagnostic[]): LicensePage {
  const needs = [...fileNeeds(diagnostics), ...good.needs.filter(({ about }) => about !== 'files')];
  return {
    ...good,
    plan: null,
    diagnostics,
    needs,
    isOfFiles: !diagnostics.some(({ severity }) => severity === 'error'),
  };
}

function notRead(reason: string): string {
  return `The license was not read: ${reason}. The page shows what was read before.`;
}

/** Null for files without an error. A message may name a person. */
function errorsText(diagnostics: readonly Diagnostic[], isNameless: boolean): string | null {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (first === undefined) return null;
  const { place, message } = first;
  const errors = counted(findingCounts(diagnostics).errors, 'error');
  return `The files have ${errors}, so there is no plan: ${place.file}:${place.line}:${place.column}${isNameless ? '' : ` ${message}`}`;
}

const OPENERS: { readonly [platform: string]: readonly [program: string, ...args: readonly string[]] } = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Opens a page in the browser of the person. Where there is none, nothing happens: the address is printed. */
export async function openBrowser(address: string, platform: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open'];
  spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
