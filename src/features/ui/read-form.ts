// The script of the page: answers "ask a visitor" from the data in the page. Bundled at build; sends nothing, and makes text only, never markup.

import { type AskedRules, ask, type FormQuestion } from './ask.ts';

/** What it needs of an element. */
interface PageElement {
  textContent: string | null;
  readonly value?: string;
  hidden: boolean;
  readonly append: (...children: readonly PageElement[]) => void;
  readonly replaceChildren: (...children: readonly PageElement[]) => void;
  readonly addEventListener: (type: string, listener: (event: { readonly preventDefault: () => void }) => void) => void;
}

declare const document: {
  readonly getElementById: (id: string) => PageElement | null;
  readonly createElement: (name: string) => PageElement;
};

const [form, data, output] = ['ask-form', 'ask-data', 'ask-answer'].map((id) => document.getElementById(id));
if (form && data && output) {
  const side = JSON.parse(data.textContent ?? '') as AskedRules;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    output.replaceChildren(...answered(ask(side, asked(), Date.now())));
  });
}

function asked(): FormQuestion {
  const filledIn = (name: keyof FormQuestion): string => document.getElementById(`ask-${name}`)?.value ?? '';
  return {
    url: filledIn('url'),
    country: filledIn('country'),
    region: filledIn('region'),
    city: filledIn('city'),
    time: filledIn('time'),
  };
}

function answered(answer: ReturnType<typeof ask>): readonly PageElement[] {
  if ('wrong' in answer) return [made('p', answer.wrong)];
  const list = document.createElement('dl');
  for (const [about, says] of answer.lines) list.append(made('dt', about), made('dd', says));
  const note = made('p', 'Text for whoever edits the files:');
  return [list, note, made('pre', answer.message)];
}

function made(name: string, text: string): PageElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
