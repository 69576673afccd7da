// Fenced blocks of a Markdown page: commands with the output that the page shows, and named files. Runs nothing.

/** One command of a page; `shown` is the output on the page, null when there is none. */
export interface Command {
  readonly type: 'command';
  readonly line: number;
  readonly text: string;
  readonly shown: string | null;
}

/** A block whose first line is a comment with only the name of a file. */
export interface NamedFile {
  readonly type: 'file';
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

/** A YAML block; the name is optional. */
export interface Yaml {
  readonly line: number;
  readonly name: string | null;
  readonly text: string;
}

export interface Page {
  /** In the order of the page. */
  readonly steps: readonly (Command | NamedFile)[];
  readonly yaml: readonly Yaml[];
  /** Every language of a fence that is neither run nor checked. */
  readonly inert: readonly string[];
}

interface Fence {
  readonly language: string;
  /** Of the first line inside, one-based. */
  readonly line: number;
  readonly lines: readonly string[];
}

const FILE_NAME = /^(?:#|\/\/) ([\w./-]+\.[a-z]+)$/;

function* fencesOf(text: string): Generator<Fence> {
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^( *)```(\S*)/.exec(lines[index] ?? '');
    if (opening === null) continue;
    const [, indent = '', language = ''] = opening;
    const end = lines.indexOf(`${indent}\`\`\``, index + 1);
    if (end === -1) throw new Error(`the fence of line ${index + 1} is not closed`);
    const inner = lines.slice(index + 1, end).map((line) => line.slice(indent.length));
    yield { language, line: index + 2, lines: inner };
    index = end;
  }
}

/** A command continues after a backslash, and until its here-document ends. */
function isOpen(text: string): boolean {
  const word = /<<'(\w+)'/.exec(text)?.[1];
  return word === undefined ? text.endsWith('\\') : !text.endsWith(`\n${word}`);
}

function* commandsOf({ lines, line }: Fence): Generator<Command> {
  let open: string[] = [];
  for (const [index, part] of lines.entries()) {
    open.push(part);
    const text = open.join('\n');
    if (isOpen(text)) continue;
    if (!/^\s*(#|$)/.test(text)) yield { type: 'command', line: line + index + 1 - open.length, text, shown: null };
    open = [];
  }
}

function* dialogueOf({ lines, line }: Fence): Generator<Command> {
  const prompts = lines.flatMap((text, index) => (text.startsWith('$ ') ? [index] : []));
  if (prompts[0] !== 0) throw new Error(`the console block of line ${line} does not begin with a command`);
  for (const [position, index] of prompts.entries()) {
    const shown = lines.slice(index + 1, prompts[position + 1]).join('\n');
    yield { type: 'command', line: line + index, text: (lines[index] ?? '').slice(2), shown };
  }
}

export function readPage(text: string): Page {
  const steps: (Command | NamedFile)[] = [];
  const yaml: Yaml[] = [];
  const inert: string[] = [];
  for (const fence of fencesOf(text)) {
    const { language, line } = fence;
    const name = FILE_NAME.exec(fence.lines[0] ?? '')?.[1] ?? null;
    if (name?.startsWith('/'))
      throw new Error(`the file of line ${line} would be written outside of the folder: ${name}`);
    const body = `${fence.lines.join('\n')}\n`;
    if (language === 'sh') steps.push(...commandsOf(fence));
    else if (language === 'console') steps.push(...dialogueOf(fence));
    else if (name !== null) steps.push({ type: 'file', line, name, text: body });
    else if (language !== 'yaml') inert.push(language);
    if (language === 'yaml') yaml.push({ line, name, text: body });
  }
  return { steps, yaml, inert };
}
