// Names and pages that somebody chose who wants the reader of a report to run, fetch or believe something.

export const HOSTILE = [
  '<script>window.hit = 1</script>',
  '"><img src="https://evil.example/x.png" onerror="window.hit = 1">',
  "' onmouseover='window.hit = 1' autofocus onfocus='window.hit = 1",
  '</style></title></textarea></svg><script src="https://evil.example/x.js"></script>',
  '<!-- ]]> --> <base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'javascript:window.hit=1',
  '{{constructor.constructor("window.hit = 1")()}} ${7*7}',
  '```\n````html\n<b>@team</b> #12 ::error file=a::b',
  '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u001b[0m',
  'safe\u202egnp.exe\u2066 \u200b\u200e\ufeff\u00ad\u0000',
  '&lt;script&gt;&#60;b&#62;',
  '🔥'.repeat(180),
  'Ω̶̡̢̛'.repeat(40),
  'W'.repeat(400),
] as const;

/** The same as a manifest can declare them: no variable, and no zero byte. */
export const HOSTILE_NAMES: readonly string[] = HOSTILE.map((name) =>
  name.replaceAll('${', '$ {').replaceAll('\0', ''),
);
