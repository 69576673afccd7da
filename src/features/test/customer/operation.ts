// `test --on customer`: the license as its visitors and customers see it. Changes nothing, unless a prediction or a chat is asked for.

import type { Context, Operation, TargetRow } from '../../../many/operation.ts';
import { declinedBy, stopError } from '../../../many/stopped.ts';
import type { Declined } from '../../../target/lock.ts';
import { prepareDeclared } from '../../../target/prepare.ts';
import type { Block } from '../../../view/blocks.ts';
import { CHAT_LEAVES, type Rehearsal } from './chat.ts';
import type { CustomerOptions } from './options.ts';
import { testActing } from './read-customer.ts';
import type { CustomerView } from './schema.ts';
import { customerFindings, customerRows, customerView, rehearsalBlocks } from './view.ts';

export const customerTesting: Operation<CustomerOptions, CustomerView> = {
  name: 'test --on customer',
  changes: 'nothing',
  run: async (target, { predict, chat, afterApply }, context) => {
    const declared = await prepareDeclared(target, context);
    const { settings, diagnostics } = declared;
    const agree = (rehearsal: Rehearsal) => agreed(rehearsal, settings.name, context);
    const asked = { predict, afterApply, ...(chat === null ? {} : { chat }), agree };
    const verified = await testActing(declared, asked, context);
    if ('stopped' in verified) throw stopError(verified.stopped, diagnostics);
    return { value: verified.view, diagnostics, requests: verified.requests };
  },
  row: customerRow,
  view: customerView,
  findings: customerFindings,
  table: customerRows,
};

/** A chat that was not ended is an error, whatever it showed. */
function customerRow({ summary: { differs }, chat }: CustomerView): TargetRow {
  const isLeft = chat?.ended === false;
  return {
    state: isLeft ? 'failed' : differs > 0 ? 'differs' : 'done',
    code: isLeft ? 1 : differs > 0 ? 2 : 0,
    figures: { different: differs },
    ...(isLeft && chat.message !== null ? { message: chat.message } : {}),
    isQuiet: differs === 0 && !isLeft,
  };
}

/** Null to go ahead. */
async function agreed(rehearsal: Rehearsal, target: string, { ask }: Context): Promise<Declined | null> {
  const about = (): readonly Block[] => rehearsalBlocks(rehearsal, { target, leaves: CHAT_LEAVES });
  const answer = await ask({ word: 'chat', so: 'begin and end it', about });
  return declinedBy(answer, 'chat');
}
