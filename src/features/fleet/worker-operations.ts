// The operations that workers can do, with options that are checked: a request comes from a database, and perhaps from another chatform.

import type { Validator } from '../../base/documents.ts';
import type { JsonObject } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import type { Answer } from '../../many/operation.ts';
import type { Asked } from '../../many/outputs.ts';
import type { TargetChoice } from '../../target/choice.ts';
import type { ApprovedPlans } from '../apply/operation.ts';

/** What a request asks for. */
export interface Requested<Options, Value> {
  readonly asked: Asked<Options, Value>;
  readonly choice: TargetChoice;
  /** To each question. */
  readonly answer: Answer;
}

/** Calls `use` with what a request asks for; otherwise returns why it cannot be done. */
type Using<Work> = <Options, Value>(requested: Requested<Options, Value>) => Work;

export async function requestedWork<Work>(
  command: string,
  request: JsonObject,
  planFor: ApprovedPlans,
  use: Using<Work>,
): Promise<Work | string> {
  switch (command) {
    case 'apply': {
      const [{ applying }, { options }] = await Promise.all([
        import('../apply/operation.ts'),
        import('../apply/validator.ts'),
      ]);
      return checked(applying('apply', planFor), options, request, use);
    }
    case 'undo': {
      const [{ undoing }, { options }] = await Promise.all([
        import('../undo/operation.ts'),
        import('../undo/validator.ts'),
      ]);
      return checked(undoing, options, request, use);
    }
    case 'plan': {
      const [{ planning }, { options }] = await Promise.all([
        import('../plan/operation.ts'),
        import('../plan/validator.ts'),
      ]);
      return checked(planning, options, request, use);
    }
    case 'drift': {
      const [{ drifting }, { options }] = await Promise.all([
        import('../drift/operation.ts'),
        import('../drift/validator.ts'),
      ]);
      return checked(drifting, options, request, use);
    }
    case 'test --on customer': {
      const [{ customerTesting }, { options }] = await Promise.all([
        import('../test/customer/operation.ts'),
        import('../test/customer/validator.ts'),
      ]);
      return checked(customerTesting, options, request, use);
    }
    default:
      return `this chatform cannot do \`${command}\` for a run: update the worker`;
  }
}

function checked<Options, Value, Work>(
  operation: Asked<Options, Value>['operation'],
  isKnown: Validator<Options>,
  { options = {}, yes, ...choice }: JsonObject,
  use: Using<Work>,
): Work | string {
  if (!isKnown(options))
    return `this chatform cannot do \`${operation.name}\` with ${unknownIn(isKnown.errors)}: update the worker`;
  return use({
    asked: { operation, options },
    choice: choice as TargetChoice,
    answer: yes === true ? 'yes' : 'unattended',
  });
}

/** The options that are not known. */
function unknownIn(errors: Validator<unknown>['errors']): string {
  const names = (errors ?? []).map(({ instancePath, params }) => params['additionalProperty'] ?? instancePath.slice(1));
  return few(names.map(String));
}
