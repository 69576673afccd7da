// A text with `${{ }}` and the contexts of a job in; what the runner makes of it out, by GitHub's own evaluator.

import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

export type Contexts = { readonly [name: string]: unknown };

/** How the steps before went, which `success()` and the others tell. */
export interface Status {
  readonly failed: boolean;
  readonly cancelled: boolean;
  /** Whether a file of the workspace matches. */
  readonly hashFiles: (pattern: string) => string;
}

type Function = ConstructorParameters<typeof Parser>[2][number] & {
  call: (...args: data.ExpressionData[]) => data.ExpressionData;
};

function functionsOf({ failed, cancelled, hashFiles }: Status): readonly Function[] {
  const told = (name: string, value: boolean): Function => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  });
  return [
    told('always', true),
    told('success', !failed && !cancelled),
    told('failure', failed && !cancelled),
    told('cancelled', cancelled),
    {
      name: 'hashFiles',
      minArgs: 1,
      maxArgs: 1,
      call: (pattern) => new data.StringData(hashFiles(pattern?.coerceString() ?? '')),
    },
  ];
}

function evaluated(text: string, contexts: Contexts, status: Status): data.ExpressionData {
  const functions = functionsOf(status);
  const expression = new Parser(new Lexer(text).lex().tokens, Object.keys(contexts), [...functions]).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(
    expression,
    values,
    new Map(functions.map((each) => [each.name.toLowerCase(), each])),
  ).evaluate();
}

export function resolved(text: string, contexts: Contexts, status: Status): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, inner: string) =>
    evaluated(inner.trim(), contexts, status).coerceString(),
  );
}

/** Whether a step or a job runs: one that does not ask how the others went runs when they succeeded. */
export function holds(condition: string | undefined, contexts: Contexts, status: Status): boolean {
  const text = (condition ?? 'success()').replace(/^\$\{\{(.*)\}\}$/s, '$1').trim();
  const asks = /\b(always|success|failure|cancelled)\(/.test(text);
  const value = evaluated(asks ? text : `success() && (${text})`, contexts, status);
  return !['false', '', '0', 'null'].includes(value.coerceString());
}
