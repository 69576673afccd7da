// docs/reference/commands.md is generated from the command line: `vitest run test/docs/commands.test.ts -u` writes it.

import { expect, test } from 'vitest';
import { commandsPage } from './commands-page.ts';

test('The page of commands is made from the command line', async () => {
  await expect(await commandsPage()).toMatchFileSnapshot('../../docs/reference/commands.md');
});
