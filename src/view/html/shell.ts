// The page around every content: one file that trusts its own stylesheet and at most one script of its own only. It reaches no network; that of a server
// reaches this server.

import { createHash } from 'node:crypto';
import { type Html, html, raw, textOf } from './markup.ts';
import { STYLE } from './style.ts';

/** What a page may load, run and reach. `isLive`: the server that it comes from. */
export function policyOf(script: string | null, isLive: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(STYLE)}`,
    ...(script === null ? [] : [`script-src ${sourceOf(script)}`]),
    ...(isLive ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** What the script of a page with a server says there, and the number of its content. */
function livePart(content: Html): Html {
  const version = createHash('sha256').update(textOf(content)).digest('hex').slice(0, 16);
  return html`<div id="live" class="live" data-version="${version}" hidden><p id="live-says" role="status"></p><a id="live-where" href="#waiting" hidden>Show where</a><button id="live-read" type="button">Read the license again</button></div>`;
}

/** Equal for two pages with the same content. */
export function versionOf(page: string): string {
  return /<div id="live" class="live" data-version="([^"]*)"/.exec(page)?.[1] ?? '';
}

/** `content` has an element with the id `main`. Only `script` runs. */
export function page(title: string, content: Html, script: string | null = null, isLive = false): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, isLive)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${isLive ? livePart(content) : null}${content}${script === null ? null : html`<script>${raw(script)}</script>`}
</body>
</html>`;
  return `${textOf(document)}\n`;
}

/** `2026-11-21 19:40 UTC`. */
export function timePart(at: string): Html {
  const readable = at.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, '$1 $2 UTC');
  return html`<time datetime="${at}">${readable}</time>`;
}
