// `chatform emulate` and its flags. Knows nothing of what it does; it is loaded when it is called.

import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Run } from './commands/flags.ts';

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65535)
    throw new InvalidArgumentError('a port is a number up to 65535');
  return number;
}

export function addEmulateCommand(program: Command, run: Run): void {
  program
    .command('emulate')
    .description('serve the Configuration API from this machine; prints one line with its URL when it is ready')
    .option('--port <port>', 'port to listen on; 0 takes a free one', port, 8080)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--state <file>', 'keep the license in this file')
    .option('--seed <file>', 'begin with the license that this JSON file describes, unless the state file has one')
    .option('--settings <file>', 'where the specification is silent, behave as this JSON file says')
    .option('--faults <file>', 'play the faults of this JSON file: errors, lost connections, stale reads and others')
    .option('--control', 'serve /_emulator/ as well: statistics, log, reset, seed, snapshot, clock, faults')
    .option('--https', 'serve HTTPS, with a certificate that it signs itself')
    .addOption(
      new Option(
        '--certificate <file>',
        'serve HTTPS, and write the certificate to this file, for clients to trust',
      ).implies({ https: true }),
    )
    .option(
      '--propagation-delay <delay>',
      'how long readings lag behind writes: 5s, or 0s..120s for a random lag',
      '0s',
    )
    .action((flags) =>
      run({}, async (terminal) => {
        const [{ emulate }, { delayRange }] = await Promise.all([
          import('./commands/emulate.ts'),
          import('./project/duration.ts'),
        ]);
        const propagationDelay = delayRange(flags.propagationDelay);
        if (propagationDelay === null || propagationDelay.to > 120_000) {
          return program.error(
            'error: --propagation-delay is a duration up to 120s such as 5s, or a range such as 0s..120s',
          );
        }
        const { https = false, certificate = null, state = null, seed = null } = flags;
        const { settings = null, faults = null, control = false } = flags;
        return emulate(
          { ...flags, https, certificate, state, seed, settings, faults, control, propagationDelay },
          terminal,
        );
      }),
    );
}
