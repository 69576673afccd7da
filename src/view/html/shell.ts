// The page around every content: one file that stands alone, without network, and trusts its own stylesheet and at most one script of its own only.

import { createHash } from 'node:crypto';
import { type Html, html, raw, textOf } from './markup.ts';
import { STYLE } from './style.ts';

function policy(script: string | null): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(STYLE)}`,
    ...(script === null ? [] : [`script-src ${sourceOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** `content` has an element with the id `main`. Only `script` runs, and it reaches no network. */
export function page(title: string, content: Html, script: string | null = null): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${content}${script === null ? null : html`<script>${raw(script)}</script>`}
</body>
</html>`;
  return `${textOf(document)}\n`;
}

/** `2026-11-21 19:40 UTC`. */
export function timePart(at: string): Html {
  const readable = at.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, '$1 $2 UTC');
  return html`<time datetime="${at}">${readable}</time>`;
}
