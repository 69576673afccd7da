// How a report is recognised that chatform wrote: by how it begins, and the text of a plan by how it ends. Anything else is never replaced.

import { DISTRIBUTIONS, REPORT_NAMES } from '../demand/forms.ts';
import { tableOf } from '../demand/tables.ts';

/** The beginning and the end of a file; equal for a short one. */
export interface Edges {
  readonly head: string;
  readonly tail: string;
}

const HTML =
  /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/;
const SARIF =
  /^\{\s*"\$schema": ?"https:\/\/json\.schemastore\.org\/sarif-2\.1\.0\.json",\s*"version": ?"2\.1\.0",\s*"runs": ?\[\s*\{\s*"tool": ?\{\s*"driver": ?\{\s*"name": ?"chatform"/;
const JUNIT = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites [^>]*>\n {2}<testsuite name="chatform /;
/** What the title of a view begins with. */
const TITLES = [
  'Plan',
  'Apply',
  'Destroy',
  'Undo',
  'Drift',
  'Customers',
  'Routing tests',
  'Routing',
  'Files',
  'Doctor',
  'Chats',
  'Content',
  'Weekly cover',
  'Group members',
  'Report (?:chats|agents)/\\S+',
  'Import',
  'History',
];
const MARKDOWN = new RegExp(
  `^#{2,3} (?:(?:${TITLES.join('|')}) (?:of|in) (?:\`|<code>)|Plan: no plan could be made|Drift: the check failed|chatform [a-z]+: )`,
);
const TEXT = new RegExp(`^(?:(?:${TITLES.join('|')}) (?:of|in) \\S|chatform [a-z]+: )`);
const CODE_QUALITY = /^\[(?:\]|\s*\{\s*"type": ?"issue",\s*"check_name": ?"[^"]*",\s*"description")/;
const TERRAFORM = /^\{(?:"create":\d+,"update":\d+,"delete":\d+)?\}\s*$/;
/** Saved plans, snapshots and sightings, and the plans of Terraform, begin in the same way, and are no reports. */
const JSON_REPORT = /^\{\s*"format_version": ?"[\d.]+",\s*"(?:errored|api_version)":/;

/** The first columns of the tables that are not made of a report of the service. */
const TABLES = [
  'severity,status,kind,address,',
  'action,kind,address,',
  'step,address,status,',
  'group,name,side,from,to,',
  'run,at,ended_at,command,',
  'kind,total,declared,',
  'target,problem',
  'outcome,side,file,line,',
  'visitor,side,decided_by,',
  'severity,code,file,line,',
  'check,status,message,remedy',
  'group,measure,from,to,chats,',
  'check,subject,as,outcome,',
  'result,type,address,id,',
];

const HEADS: { readonly [format: string]: (edges: Edges) => boolean } = {
  html: ({ head }) => HTML.test(head),
  sarif: ({ head }) => SARIF.test(head),
  junit: ({ head }) => JUNIT.test(head),
  markdown: ({ head }) => MARKDOWN.test(head),
  codequality: ({ head }) => CODE_QUALITY.test(head),
  terraform: ({ head }) => TERRAFORM.test(head),
  prometheus: ({ head }) => head.startsWith('# HELP chatform_'),
  json: ({ head }) => JSON_REPORT.test(head),
  csv: ({ head }) => isTable(head),
  text: ({ head, tail }) =>
    TEXT.test(head) || /(?:^|\n)(?:Checked \S.* with [\d,]+ requests?\.|Tried \S+\.)\n*$/.test(tail),
};

/** chatform ends the lines of a table as RFC 4180 says. */
function isTable(head: string): boolean {
  const line = /^([^\r\n]*)\r\n/.exec(head)?.[1];
  if (line === undefined) return false;
  if (/^address,name,(?:.*,)?ownership(?:,|$)/.test(line)) return true;
  return line === 'failed' || TABLES.some((columns) => line.startsWith(columns)) || reportHeads().has(line);
}

/** The first line of each report of the service as a table. */
function reportHeads(): ReadonlySet<string> {
  const heads = REPORT_NAMES.flatMap((report) =>
    DISTRIBUTIONS.map((distribution) => {
      const { dimensions, columns } = tableOf(report, [], distribution);
      return [...dimensions, ...columns.map(({ name }) => name)].join(',');
    }),
  );
  return new Set(heads);
}

/** Whether chatform wrote the file as a report of this format. A blank file is no report. */
export function isOwnReport(format: string, edges: Edges): boolean {
  return edges.head.trim() === '' || HEADS[format]?.(edges) === true;
}
