// `chatform explain`: which rule decides for a visitor, why none before it does, and who would get the chat. Changes nothing.

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { CSV, QUIET, REPORT, targetsCommand } from '../../command/flags.ts';
import { operationCommand } from '../../command/one-or-many.ts';

/** Adds `NAME=VALUE`. @throws InvalidArgumentError for another form */
function withVariable(text: string, before: { readonly [name: string]: string } = {}) {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('write a name and its value, such as tier=gold');
  return { ...before, [name]: value };
}

export const explainCommand = operationCommand(
  (program) =>
    targetsCommand(program, 'explain', 'say which rule decides for a visitor, and who gets the chat')
      .requiredOption(
        '--url <url>',
        'URL of the page the visitor is on, or a path such as /pricing on the domain of the project',
      )
      .option('--country <name>', 'where the visitor is: name of the country in English')
      .option('--country-code <code>', 'or its code, of two letters')
      .option('--region <name>', 'region in the country')
      .option('--city <name>', 'city in it')
      .option(
        '--variable <name=value>',
        'a custom variable of the visitor, which greetings look at; can be given again',
        withVariable,
      )
      .addOption(
        new Option('--on <side>', 'the rules that the files declare, those that the license has, or both')
          .choices(['files', 'live', 'both'] as const)
          .default('files' as const),
      )
      .option(
        '--at <time>',
        'for which time: the rules and people of the files on that day, and who is at work, such as 2026-11-23T10:00 (default: now)',
      )
      .addOption(QUIET)
      .addOption(CSV)
      .addOption(REPORT)
      .showHelpAfterError('(for example: chatform explain --url /pricing; chatform explain --help lists its flags)'),
  async ({ url, country, countryCode, region, city, variable, on, at }) => {
    const { explaining } = await import('./operation.ts');
    return {
      operation: explaining,
      options: {
        url,
        on,
        ...(country === undefined ? {} : { country }),
        ...(countryCode === undefined ? {} : { countryCode }),
        ...(region === undefined ? {} : { region }),
        ...(city === undefined ? {} : { city }),
        ...(variable === undefined ? {} : { variables: variable }),
        ...(at === undefined ? {} : { at }),
      },
    };
  },
);
