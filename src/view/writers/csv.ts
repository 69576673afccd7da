// CSV (RFC 4180): lines of texts and numbers. Nothing is cut.

import { cellText, plainText, type Table } from '../blocks.ts';
import { plain } from '../plain.ts';
import type { ReportWriter } from '../report.ts';

export const report: ReportWriter = {
  write: ({ table }) => tableCsv(table),
  /** Columns of all tables, or the first of them; the lines of a table end as RFC 4180 says. */
  begins: new RegExp(
    `^(?:${[
      'severity,status,kind,address,.*',
      'action,kind,address,.*',
      'step,address,status,.*',
      'group,name,side,from,to,.*',
      'run,at,ended_at,command,.*',
      'kind,total,declared,.*',
      'target,problem.*',
      'outcome,side,file,line,.*',
      'visitor,side,decided_by,.*',
      'severity,code,file,line,.*',
      'check,status,message,remedy.*',
      'group,measure,from,to,chats,.*',
      'check,subject,as,outcome,.*',
      'result,type,address,id,.*',
      'address,name,(?:.*,)?ownership(?:,.*)?',
      'agent,total,good,bad,score',
      'agent,chats_count,chats_rated_good,.*',
      'group,(?:survey|form),field,option,times',
      'unique_visitors,page_views',
      'tag,chats',
      'domain,page_views',
      '(?:hour|day|day-hours|month|year),(?:total,continuous|chats,good,bad|count,.*_duration|count,(?:first_)?response_time|started_by_.*|greeting,accepted,.*|tag,chats|group,chats|queued\\.count,.*|abandoned_cart_count,.*|minutes|hours)',
      'is,kind,address,name,field,target,other,.*',
      'failed',
    ].join('|')})\r\n`,
  ),
};

/** A table with its head. */
export function tableCsv({ columns, rows }: Table): string {
  return csvText([
    columns.map(({ title }) => title),
    ...rows.map(({ cells }) => cells.map((each) => (typeof each === 'number' ? each : plainText(cellText(each))))),
  ]);
}

export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A text that no terminal obeys; one that a spreadsheet would take for a formula gets an apostrophe. Names come from people. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const shown = plain(value);
  const inert = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
