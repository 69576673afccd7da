// The stylesheet of every page, with its colours. It is one text, so that its digest is all that a browser has to trust.

/** The light and the dark scheme. READ_ON and SEEN_ON list which colour stands on which, so that a test can hold their contrast. */
export const LIGHT = {
  page: '#ffffff',
  panel: '#f6f8fa',
  text: '#1f2328',
  faint: '#59636e',
  line: '#c8d1da',
  link: '#0550ae',
  focus: '#0550ae',
  add: '#0f5323',
  'add-back': '#dafbe1',
  change: '#6b4500',
  'change-back': '#fff3c4',
  destroy: '#9a0c22',
  'destroy-back': '#ffebe9',
  move: '#5a32a3',
  'move-back': '#f5ebff',
  'slots-1': '#dbe9fa',
  'slots-2': '#a5c8f2',
  'slots-3': '#2767b5',
  'slots-4': '#174a8c',
  'on-low': '#1f2328',
  'on-high': '#ffffff',
  uncovered: '#fdeceb',
  missing: '#e4e7ea',
} as const;

export type Colour = keyof typeof LIGHT;

export type Palette = { readonly [colour in Colour]: string };

export const DARK: Palette = {
  page: '#0d1117',
  panel: '#161b22',
  text: '#e6edf3',
  faint: '#9ea7b1',
  line: '#3d444d',
  link: '#79b8ff',
  focus: '#79b8ff',
  add: '#7ee2a0',
  'add-back': '#10301c',
  change: '#f0c869',
  'change-back': '#36290a',
  destroy: '#ff9c94',
  'destroy-back': '#3d1418',
  move: '#d2b6ff',
  'move-back': '#2a1c42',
  'slots-1': '#12294a',
  'slots-2': '#1c4a86',
  'slots-3': '#5c9ce6',
  'slots-4': '#9cc9ff',
  'on-low': '#e6edf3',
  'on-high': '#0d1117',
  uncovered: '#351416',
  missing: '#262c36',
};

/** Text, and the background that it stands on: a contrast of at least 4.5 to 1. */
export const READ_ON: readonly (readonly [Colour, Colour])[] = [
  ...(['text', 'faint', 'link', 'add', 'change', 'destroy', 'move'] as const).flatMap((colour) => [
    [colour, 'page'] as const,
    [colour, 'panel'] as const,
  ]),
  ...(['add', 'change', 'destroy', 'move'] as const).flatMap((colour) => [
    [colour, `${colour}-back`] as const,
    ['text', `${colour}-back`] as const,
  ]),
  ['destroy', 'uncovered'],
  ['on-low', 'slots-1'],
  ['on-low', 'slots-2'],
  ['on-high', 'slots-3'],
  ['on-high', 'slots-4'],
];

/** Lines with a meaning, and their background: a contrast of at least 3 to 1. */
export const SEEN_ON: readonly (readonly [Colour, Colour])[] = [
  ['focus', 'page'],
  ['focus', 'panel'],
  ['move', 'panel'],
  ['faint', 'panel'],
  ['slots-3', 'page'],
  ['slots-3', 'panel'],
  ['destroy', 'panel'],
];

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour};`)
    .join('');
}

const BASE = `
*,*::before,*::after{box-sizing:border-box}
html{color-scheme:light dark;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-size-adjust:100%;-webkit-text-size-adjust:100%}
body{max-width:72rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.25rem;margin:2.25rem 0 .5rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.25rem 0 .4rem}
p{margin:.4rem 0}
ul,ol{margin:.4rem 0;padding-left:1.25rem}
ol{padding-left:2rem}
a{color:var(--link)}
:focus-visible,.form input:focus-within{outline:3px solid var(--focus);outline-offset:2px;border-radius:3px}
code{font:.875em/1.45 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;unicode-bidi:isolate}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 1rem}
.faint,.source{color:var(--faint);font-size:.875rem}
.remark{color:var(--faint);font-size:.875rem;display:block;margin:0}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;padding:.5rem 1rem;background:var(--panel);border:1px solid var(--line)}
.skip:focus{top:.5rem}
.count{display:inline-block;min-width:1.6em;padding:0 .45em;border-radius:1em;background:var(--panel);border:1px solid var(--line);color:var(--text);font-size:.8rem;font-weight:600;text-align:center;vertical-align:.1em}
`;

const MARKS = `
.mark{display:inline-block;padding:0 .5em;border-radius:4px;font-size:.8125rem;font-weight:600;line-height:1.5;border:1px solid currentcolor;white-space:nowrap;font-style:normal}
h1 .mark{font-size:1rem;vertical-align:.2em}
.mark.calm{color:var(--faint);background:var(--panel)}
${['add', 'change', 'destroy', 'move'].map((tone) => `.mark.${tone}{color:var(--${tone});background:var(--${tone}-back)}`).join('\n')}
`;

const PARTS = `
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:0 1.1rem}
nav a{display:inline-block;padding:.25rem 0}
.form{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.6rem;align-items:end;margin:.75rem 0}
.form[hidden]{display:none}
.form label{display:flex;flex-direction:column;gap:.2rem;color:var(--faint);font-size:.875rem}
.form input,.form select,.form button{font:inherit;font-size:1rem;padding:.4rem .6rem;color:var(--text);background:var(--panel);border:1px solid var(--faint);border-radius:6px;min-width:0;min-height:2.5rem}
.form input[type=datetime-local]{padding-inline:.3rem;font-size:.9rem}
.form button{font-weight:600;cursor:pointer;justify-self:start}
.stale{padding:.5rem .75rem;background:var(--panel);border:1px solid var(--line);border-left:5px solid var(--change);border-radius:6px;font-weight:600}
.live{position:sticky;top:0;z-index:2;max-height:30vh;overflow:auto;display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;justify-content:space-between;padding:.5rem .75rem;margin:0 0 1rem;background:var(--panel);border:1px solid var(--line);border-radius:6px}
.live[hidden]{display:none}
html:has(.live:not([hidden])){scroll-padding-top:6.5rem}
.live.wrong{border-left:5px solid var(--destroy)}
.live a[hidden]{display:none}
.live p{margin:0;flex:1 1 20rem;overflow-wrap:anywhere}
.live button{font:inherit;font-size:.875rem;padding:.3rem .6rem;color:var(--text);background:var(--page);border:1px solid var(--faint);border-radius:6px;cursor:pointer}
.live button[aria-disabled=true]{color:var(--faint);cursor:default}
.answer dl{display:grid;grid-template-columns:fit-content(16rem) 1fr;gap:.3rem 1rem}
.answer dd{margin:0}
@media (max-width:40rem){.answer dl{grid-template-columns:1fr;gap:.1rem}.answer dd{margin-bottom:.5rem}}
.answer dt{color:var(--faint)}
.message{font-size:.875rem}
.remark .message{display:inline-block;vertical-align:top;margin-block:0}
.message summary{color:var(--faint);cursor:pointer}
.message span{display:block;user-select:all;-webkit-user-select:all;white-space:pre-wrap;padding:.4rem .6rem;background:var(--panel);border:1px solid var(--line);border-radius:6px;overflow-wrap:anywhere}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.25rem,1fr));gap:.6rem;margin:.75rem 0}
.numbers div{display:flex;flex-direction:column-reverse;justify-content:flex-end;padding:.5rem .75rem;background:var(--panel);border:1px solid var(--line);border-left:5px solid var(--line);border-radius:6px}
.numbers dt{color:var(--faint);font-size:.875rem;line-height:1.3}
.numbers dd{margin:0;font-size:1.6rem;font-weight:650;line-height:1.25}
${['add', 'change', 'destroy', 'move'].map((tone) => `.numbers .${tone}{border-left-color:var(--${tone})}`).join('\n')}
.dangers ul,.legend{list-style:none;padding:0}
.dangers li{padding:.45rem .75rem;margin:.4rem 0;background:var(--panel);border:1px solid var(--line);border-radius:6px}
.dangers li{border-left:5px solid var(--destroy)}
.was{color:var(--faint)}
.extra{font-size:.875rem;font-style:italic}
details.resource,p.resource{margin:.35rem 0;border:1px solid var(--line);border-radius:6px;background:var(--panel)}
p.resource,summary{padding:.4rem .75rem}
summary{cursor:pointer;line-height:1.65}
details.more>summary{padding-left:0;color:var(--link)}
.body{padding:.25rem .75rem .75rem;border-top:1px solid var(--line)}
:target{outline:3px solid var(--focus);outline-offset:1px}
.remarks{list-style:none;padding:0}
.remarks li{padding:.1rem .6rem;margin:.3rem 0;border-left:4px solid var(--change)}
.remarks li.destroy{border-left-color:var(--destroy)}
.remarks li.calm{border-left-color:var(--line)}
table{border-collapse:collapse;width:100%;font-size:.875rem;margin:.4rem 0}
table.small{width:auto}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
thead th{color:var(--faint);font-weight:600;border-bottom:2px solid var(--line)}
tbody th{font-weight:500}
.fields{table-layout:fixed}
.fields th:first-child{width:30%}
.fields .destroy .was,.fields .change .was{background:var(--destroy-back);color:var(--text)}
.fields .add .is,.fields .change .is{background:var(--add-back)}
.fields .change .is{font-weight:600}
.scroll{position:relative;overflow-x:auto;margin:.5rem 0;border:1px solid var(--line);border-radius:6px;background:linear-gradient(to left,var(--page) .75rem,transparent) 100% 0/2.5rem 100% no-repeat local,linear-gradient(to left,var(--faint),transparent) 100% 0/.6rem 100% no-repeat scroll}
.scroll table{margin:0}
.scroll tbody th .faint{display:block}
.scroll th,.scroll td{overflow-wrap:normal}
.matrix th[scope=col]{min-width:7.5rem;max-width:12rem;overflow-wrap:break-word;vertical-align:bottom}
.matrix th[scope=row],.matrix th:first-child{position:sticky;left:0;background:var(--page);min-width:min(19rem,38vw);max-width:22rem;overflow-wrap:anywhere;border-right:2px solid var(--line);z-index:1}
.matrix th[scope=row] code{display:block;color:var(--faint);font-size:.75rem}
`;

const PICTURES = `
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:.75rem 1.5rem}
.caption{font-weight:600;margin:0 0 .2rem}
.bars{display:block;width:100%;min-width:min(15rem,24vw);height:1.3rem}
.bars .bar{fill:var(--slots-3)}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
${[1, 2, 3, 4].map((shade) => `.look-s${shade}{fill:var(--slots-${shade})}`).join('')}
.scroll time{white-space:nowrap}
.look-s1,.look-s2,.look-s3,.look-s4{stroke:var(--panel);stroke-width:.75}
.heat{display:block;width:100%}
.heat text{font-size:11px;font-family:system-ui,sans-serif;fill:var(--text)}
.heat .axis{fill:var(--faint)}
.heat .rule{stroke:var(--line)}
.heat .hour{stroke:var(--faint);stroke-dasharray:1 4}
.heat .on-s1,.heat .on-s2{fill:var(--on-low)}.heat .on-s3,.heat .on-s4{fill:var(--on-high)}.heat .on-none{fill:var(--destroy)}
.look-none{fill:var(--uncovered);stroke:var(--destroy);stroke-width:1;stroke-dasharray:1 3}
.look-open{fill:var(--move-back);stroke:var(--move);stroke-dasharray:4 2}
.look-void{fill:var(--missing)}
.look-alone{fill:none;stroke:var(--move);stroke-width:2;stroke-dasharray:4 2}
.look-lost{fill:none;stroke:var(--destroy);stroke-width:2.5}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;font-size:.875rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.legend svg{width:20px;height:14px;flex:none}
.order{display:grid;grid-template-columns:minmax(0,1fr) clamp(2.25rem,11vw,9rem) minmax(0,1fr);align-items:stretch;margin:.5rem 0}
.order .column{display:grid;grid-template-rows:auto 1fr}
.order h3{margin:0 0 .3rem}
.order ol{list-style:none;padding:0;margin:0;display:grid;grid-auto-rows:1fr;gap:0}
.order li{padding:.2rem 0;display:grid;align-items:center}
.rule{display:flex;flex-wrap:wrap;align-content:center;gap:.05rem .5rem;padding:.3rem .6rem;background:var(--panel);border:1px solid var(--line);border-radius:6px;font-size:.875rem;line-height:1.35;min-height:2.6rem}
.rule .place{color:var(--faint);font-variant-numeric:tabular-nums}
th bdi,summary bdi{display:-webkit-inline-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden;vertical-align:bottom;max-width:100%}
.called{flex:1 1 60%;font-weight:550;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}
.rule .to{flex:1 1 100%;color:var(--faint);display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.lines{width:100%;height:calc(100% - 1.8rem);margin-top:1.8rem}
.lines path{fill:none;vector-effect:non-scaling-stroke;stroke:var(--faint);stroke-width:1}
.lines .keeps{stroke-dasharray:4 3}
.lines .moves{stroke:var(--move);stroke-width:3}
.lines .goes{stroke:var(--destroy);stroke-width:3}.lines .comes{stroke:var(--add);stroke-width:3}
`;

const NARROW = `
@media (max-width:40rem){
body{padding:.75rem}
.numbers{grid-template-columns:repeat(2,minmax(0,1fr))}
nav a{padding:.6rem 0}
.fields th,.fields td,.scroll th,.scroll td{padding:.3rem .4rem}
.scroll table{width:max-content;min-width:100%}
.scroll th,.scroll td{max-width:15rem;overflow-wrap:anywhere}
.scroll th[scope=row]{max-width:10rem}
.body{padding:.25rem .4rem .6rem}
.rule{padding:.25rem .4rem}
}
@media screen and (max-width:37.5rem){
.wide,.wide tbody,.wide tr:not([hidden]),.wide th,.wide td{display:block}
.wide thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.scroll .wide{width:100%}
.scroll .wide th,.scroll .wide td{max-width:none;text-align:left;border:0}
.wide tr{border-bottom:1px solid var(--line)}
.wide td::before{content:attr(data-label) ": ";color:var(--faint)}
.wide td:empty{display:none}
}
@media (forced-colors:active){.mark,.numbers div{forced-color-adjust:auto}.lines path{stroke:CanvasText}}
`;

/** Paper has no folds, no links and no dark scheme. */
const PRINT = `
@media print{
.message{display:none}
:root{${variables(LIGHT)}}
html{font-size:11pt;color-scheme:light}
body{max-width:none;padding:0}
nav,.skip,.live,.form{display:none}
details::details-content{content-visibility:visible;display:block;height:auto}
summary{list-style:none;break-after:avoid}
summary::-webkit-details-marker{display:none}
h2,h3,thead{break-after:avoid}
tr,li,.rule,.numbers div{break-inside:avoid}
.scroll{overflow:visible;border:0;background:none}
.scroll th,.scroll td{padding:2pt 4pt}
.scroll code,.scroll bdi{overflow-wrap:anywhere}
.scroll time{white-space:normal}
.matrix{table-layout:fixed;font-size:8pt}
.matrix th[scope=row],.matrix th:first-child{position:static;min-width:0;width:24%}
.matrix th[scope=col]{min-width:0}
.matrix th,.matrix td{padding:2pt 3pt}
.matrix .mark{font-size:7.5pt;padding:0 2pt;white-space:normal}
.called,.rule .to,th bdi,summary bdi{-webkit-line-clamp:none}
.heat rect,.mark,.fields td,.numbers div{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

export const STYLE = [
  `:root{${variables(LIGHT)}}`,
  `@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}`,
  BASE,
  MARKS,
  PARTS,
  PICTURES,
  NARROW,
  PRINT,
].join('\n');
