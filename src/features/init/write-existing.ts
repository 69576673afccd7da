// `init --existing`: a project for a license that was set up by hand, imported and planned. Changes nothing on the license.

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import { given } from '../../command/flags.ts';
import { operateOn } from '../../command/operate.ts';
import type { Result } from '../../command/result.ts';
import { showError } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { writeNew } from '../../project/gitignore.ts';
import { PROJECT_FILE } from '../../target/choice.ts';
import { importing } from '../import/operation.ts';
import { planning } from '../plan/operation.ts';
import { againText, type ExistingLicense, type LicenseQuestion, projectText, QUESTIONS, wrongIn } from './existing.ts';

/** What flags say instead of a person. */
export type GivenLicense = { readonly [name in keyof ExistingLicense]?: string | undefined };

/** Where the manifest goes. */
const FOLDER = 'manifest';

/** @throws UsageError for a project that is here already, and for answers that are missing */
export async function initExisting(flags: GivenLicense, terminal: Terminal): Promise<Result> {
  for (const path of [PROJECT_FILE, FOLDER])
    if (existsSync(path))
      throw new UsageError(
        `${path} is here already, and nothing is overwritten: begin in an empty folder, or add the license to \`targets:\` of chatform.yaml and run \`chatform import -t NAME\``,
      );
  const license = await answered(flags, terminal);
  const { target } = license;
  await writeNew(PROJECT_FILE, projectText(license));
  const imported = await operateOn({ operation: importing, options: {} }, { target }, terminal, {
    shows: (_, view) => ({ ...view, result: `Imported from ${target}.` }),
  });
  if (!existsSync(FOLDER)) {
    await rm(PROJECT_FILE);
    const note = `No file of the project was written. Once that is mended: ${againText(license)}\n`;
    return { ...imported, note: (paint) => `${imported.note?.(paint) ?? ''}${note}` };
  }
  const planned =
    imported.code === 0
      ? await operateOn({ operation: planning, options: {} }, { target, quiet: true }, terminal)
      : null;
  return {
    ...imported,
    ...given({ code: planned?.code, diagnostics: planned?.diagnostics, error: planned?.error }),
    text: (paint) =>
      [
        `created  ${PROJECT_FILE}\n\n`,
        imported.text?.(paint),
        planned?.text?.(paint),
        planned === null ? '' : NEXT,
      ].join(''),
  };
}

const NEXT = `
Next:
  chatform init --ci github   (or gitlab) in a git repository: the jobs that plan each request, and apply it
  git add . && git commit     the files as they are; the jobs keep the ledger on a branch of its own
  chatform plan               after a change of the files: what it does
`;

/** Flags, then the person, then what is usual. */
async function answered(flags: GivenLicense, terminal: Terminal): Promise<ExistingLicense> {
  const names = Object.keys(QUESTIONS) as readonly (keyof ExistingLicense)[];
  const wrong = names.flatMap((name) =>
    flags[name] === undefined ? [] : (wrongIn(QUESTIONS[name], flags[name]) ?? []),
  );
  if (wrong.length > 0) throw new UsageError(wrong.join('; '));
  const answer = async (name: keyof ExistingLicense): Promise<string> =>
    flags[name] ?? askedFor(QUESTIONS[name], terminal);
  return {
    baseUrl: await answer('baseUrl'),
    apiVersion: await answer('apiVersion'),
    tokenEnv: await answer('tokenEnv'),
    accountId: await answer('accountId'),
    target: await answer('target'),
  };
}

async function askedFor(question: LicenseQuestion, terminal: Terminal): Promise<string> {
  const { flag, asks, usual } = question;
  for (;;) {
    const said = await terminal.ask(`${asks}${usual ? ` [${usual}]` : ''}: `);
    const answer = said?.trim() || usual;
    if (answer === null || terminal.signal.aborted)
      throw new UsageError(
        said === null ? `there is no terminal to ask: say ${flag}` : 'no answer, so nothing was written',
      );
    const wrong = wrongIn(question, answer);
    if (wrong === null) return answer;
    showError(wrong, terminal);
  }
}
