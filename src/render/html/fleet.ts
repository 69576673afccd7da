// The HTML page of a run over several targets: how far it is, its waves, and what became of each target.

import type { FleetResults } from '../../fleet/log.ts';
import { code, type Html, html, type MarkTone, mark, name, numbers, sizeOf } from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import { uncoloured } from '../../view/paint.ts';
import {
  type ListedRun,
  leftText,
  limitsText,
  type RunWorkers,
  shortRun,
  stateWord,
  workersText,
} from '../text/fleet.ts';
import { type StateGroup, stateGroups, targetSections } from './fleet-targets.ts';
import { wavesSection } from './fleet-waves.ts';

/** Bytes of a page, apart from what every page has. */
const MOST = 9_500_000;

/** A run, and what else is known at the time of its page. */
export interface FleetReading {
  readonly results: FleetResults;
  /** The commit of its files; null where it is not known. */
  readonly commit: string | null;
  /** Null for a run that is over, and for one of this machine. */
  readonly workers: RunWorkers | null;
  /** Other runs of the project, newest first. */
  readonly others: readonly ListedRun[];
  /** RFC 3339. */
  readonly at: string;
}

export function fleetPage(reading: FleetReading): string {
  const { results, others, at } = reading;
  const groups = stateGroups(results);
  const header = headerPart(reading);
  const summary = summarySection(groups);
  const waves = wavesSection(results, at);
  const about = aboutSection(reading);
  const runs = others.length === 0 ? null : othersSection(others);
  const taken = [header, summary, waves, about, ...(runs === null ? [] : [runs])];
  const room = MOST - taken.reduce((sum, part) => sum + sizeOf(part), 0);
  const links: readonly (readonly [id: string, title: string])[] = [
    ['waves', 'Waves'],
    ...groups.map(({ id, title, names }) => [id, `${title}: ${names.length}`] as const),
    ['about', 'The run'],
    ...(runs === null ? [] : [['others', 'Other runs'] as const]),
  ];
  return page(
    `Run ${shortRun(results.run.id)} of ${results.run.command}: ${markOf(reading)[2]}`,
    html`
    ${header}
    <nav aria-label="Contents"><ul>${links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
    <main id="main" tabindex="-1">${summary}${waves}${targetSections(results, groups, room)}${about}${runs}</main>`,
  );
}

function headerPart(reading: FleetReading): Html {
  const { results, workers, at } = reading;
  const { run, stopped, finished } = results;
  const isOver = stopped !== null || finished;
  const left = isOver ? leftText(run.id, stopped, results, uncoloured).trim() : '';
  return html`
    <header>
      <h1>Run ${code(shortRun(run.id))} of ${run.command} ${mark(...markOf(reading))}</h1>
      <p>Begun ${timePart(run.at)} by ${name(`${run.by.user}@${run.by.host}`)}. ${isOver ? 'It lasted' : 'Its last event was after'} ${lastedText(run.at, results.lastAt)}.</p>
      ${left === '' ? null : html`<p>${withCommands(left)}</p>`}
      ${workers === null ? null : html`<p>${withCommands(workersText(workers).trim())}</p>`}
      <p class="faint">Made ${timePart(at)}.${isOver ? null : ' The run may have gone on since.'}</p>
    </header>`;
}

/** `34 s`, `12 min`, `2 h 5 min`. */
function lastedText(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Our commands stand between backquotes. */
function withCommands(text: string): readonly Html[] {
  return text.split(/`(chatform [^`]*)`/).map((part, index) => (index % 2 === 0 ? html`${part}` : code(part)));
}

function markOf({ results, workers }: FleetReading): readonly [tone: MarkTone, sign: string, word: string] {
  const { finished, stopped, cancelled, waves } = results;
  if (stopped !== null) return ['destroy', '!', 'stopped'];
  const word = stateWord(results, workers !== null, workers);
  if (!finished) return cancelled === null ? ['move', '…', word] : ['change', '!', word];
  const isWrong = waves.some(({ failed, unreachable }) => failed.size + unreachable.size > 0);
  return isWrong ? ['destroy', '!', word] : ['add', '✓', word];
}

function summarySection(groups: readonly StateGroup[]): Html {
  return html`
    <section aria-labelledby="summary">
      <h2 id="summary">Targets <span class="count">${groups.reduce((sum, { names }) => sum + names.length, 0)}</span></h2>
      ${numbers(groups.map(({ title, names, tone }) => [title.toLowerCase(), names.length, tone] as const))}
    </section>`;
}

function aboutSection({ results: { run, lastAt, cancelled }, commit }: FleetReading): Html {
  const facts: readonly (readonly [title: string, fact: Html | string])[] = [
    ['Id', code(run.id)],
    ['Command', code(run.command)],
    ['Begun', html`${timePart(run.at)} by ${name(`${run.by.user}@${run.by.host} (pid ${run.by.pid})`)}`],
    ['Last event', timePart(lastAt)],
    ...(cancelled === null ? [] : [['Cancelled by', name(`${cancelled.user}@${cancelled.host}`)] as const]),
    ['Commit', commit === null ? 'not known: the files of a checkout' : code(commit)],
    ['Approved plans', run.digest === null ? 'none: each target is planned and applied at once' : code(run.digest)],
    ['Limits', limitsText(run.spec).join('') || 'none: no number of failures stops the run'],
  ];
  return html`
    <section aria-labelledby="about">
      <h2 id="about">The run</h2>
      <table class="fields"><tbody>${facts.map(([title, fact]) => html`<tr><th scope="row">${title}</th><td>${fact}</td></tr>`)}</tbody></table>
    </section>`;
}

function othersSection(others: readonly ListedRun[]): Html {
  const rows = others.map(({ results, onWorkers }) => {
    const { run, waves, targets } = results;
    const done = waves.reduce((sum, wave) => sum + wave.done.size, 0);
    return html`<tr><th scope="row">${code(shortRun(run.id))}</th><td>${timePart(run.at)}</td><td>${run.command}</td><td>${done} of ${targets.size}</td><td>${stateWord(results, onWorkers)}</td></tr>`;
  });
  return html`
    <section aria-labelledby="others">
      <h2 id="others">Other runs <span class="count">${others.length}</span></h2>
      <div class="scroll" role="region" aria-label="Other runs" tabindex="0">
        <table>
          <thead><tr><th scope="col">Run</th><th scope="col">Begun</th><th scope="col">Command</th><th scope="col">Done</th><th scope="col">State</th></tr></thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    </section>`;
}
