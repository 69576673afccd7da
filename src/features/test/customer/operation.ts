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
import { chatTrouble, codeOfView, notShownText } from './words.ts';

export const customerTesting: Operation<CustomerOptions, CustomerView> = {
  name: 'test --on customer',
  changes: 'nothing',
  run: async (target, { predict, chat, afterApply, visitor = false }, context) => {
    const declared = await prepareDeclared(target, context);
    const { settings, diagnostics } = declared;
    const agree = (rehearsal: Rehearsal) => agreed(rehearsal, settings.name, context);
    const asked = { predict, afterApply, visitor, ...(chat === null ? {} : { chat }), agree };
    const verified = await testActing(declared, asked, context);
    if ('stopped' in verified) throw stopError(verified.stopped, diagnostics);
    return { value: verified.view, diagnostics, requests: verified.requests };
  },
  row: customerRow,
  view: customerView,
  findings: customerFindings,
  table: customerRows,
};

/** A chat that was not ended is an error, whatever it showed; routes that are not shown are no success. */
function customerRow(view: CustomerView): TargetRow {
  const { differs } = view.summary;
  const trouble = chatTrouble(view) ?? (differs > 0 ? null : notShownText(view));
  return {
    state: trouble !== null ? 'failed' : differs > 0 ? 'differs' : 'done',
    code: codeOfView(view),
    figures: { different: differs },
    ...(trouble === null ? {} : { message: trouble }),
    isQuiet: differs === 0 && trouble === null,
  };
}

/** Null to go ahead. */
async function agreed(rehearsal: Rehearsal, target: string, { ask }: Context): Promise<Declined | null> {
  const about = (): readonly Block[] => rehearsalBlocks(rehearsal, { target, leaves: CHAT_LEAVES });
  const answer = await ask({ word: 'chat', so: 'begin and end it', about });
  return declinedBy(answer, 'chat');
}
