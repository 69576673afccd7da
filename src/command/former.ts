// Names that 0.1 had during its development, and what they are called now. Gone at 0.2.

import { type Command, Option } from '@commander-js/extra-typings';

const COMMANDS: { readonly [former: string]: string } = {
  verify: 'test --on customer',
  follow: 'report --since RUN',
  comment: 'ci comment',
  snapshot: 'ci snapshot',
  lease: 'ledger lock` and `ledger unlock',
};

const FLAGS: { readonly [command: string]: { readonly [former: string]: string } } = {
  plan: {
    '--destroy': 'destroy --plan',
    '--adopted': 'destroy --plan --adopted',
    '--new-license': 'apply --plan --new-license NAME',
    '--impact': '--demand',
    '--verify-as-customer': '--test-on-customer',
    '--on': '--workers',
  },
  apply: {
    '--impact': '--demand',
    '--verify-as-customer': '--test-on-customer',
    '--follow': '--report-after',
    '--on': '--workers',
  },
  undo: { '--impact': '--demand' },
  destroy: { '--impact': '--demand' },
  drift: { '--on': '--workers' },
  test: { '--live': '--on live' },
  coverage: { '--against': '--demand', '--week': '--date' },
  show: { '--only': 'its argument, as in `chatform show group/sales`', '--verify': '--results' },
  history: { '--since': '--from', '--last': '--limit' },
};

/** A former command or flag ends with what it is called now, in the place of not being known. @param isWhole - Whether the program has all commands */
export function refuseFormer(program: Command, isWhole: boolean): void {
  for (const command of program.commands)
    for (const [flag, now] of Object.entries(FLAGS[command.name()] ?? {})) {
      const option = new Option(`${flag} [value]`).hideHelp();
      command.addOption(option);
      command.on(`option:${option.name()}`, () => command.error(`error: ${flag} is ${now} now`));
    }
  for (const [name, now] of isWhole ? Object.entries(COMMANDS) : [])
    program
      .command(name, { hidden: true })
      .argument('[rest...]')
      .allowUnknownOption()
      .action(() => program.error(`error: \`${name}\` is \`${now}\` now`));
}
