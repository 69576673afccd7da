// An operation: what chatform does for a target. It returns a value, plain JSON with a published schema; how it was asked for, and who reads it, it does not know.

import type { ApplyEvent } from '../apply/input.ts';
import type { Diagnostic } from '../base/model.ts';
import type { Requests } from '../license/connect.ts';
import type { Plan } from '../plan/plan.ts';
import type { TargetChoice } from '../target/choice.ts';
import type { RunContext } from '../target/context.ts';
import type { FoundLease } from '../target/lock.ts';
import type { Block, Table, View } from '../view/blocks.ts';
import type { DocumentMembers } from '../view/documents.ts';
import type { Findings } from '../view/findings.ts';
import type { Writers } from '../view/report.ts';
import type { TargetState } from './schema.ts';

/** 0 done, 1 error, 2 differences, 3 withheld, 4 locked, 5 the approved plan no longer matches, 6 in part or not settled, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130;

/** `unattended`: there is no person to ask. */
export type Answer = 'yes' | 'no' | 'unattended';

/** What a person is asked before something is done. */
export interface Question {
  /** The word to type. */
  readonly word: string;
  /** What typing it does; default `go ahead`. */
  readonly so?: string;
  /** What it is about; made for a person who has not just read it. */
  readonly about: () => readonly Block[];
}

/** What happens while an operation runs, for whom watches it. */
export type RunEvent =
  | {
      readonly type: 'planned';
      readonly plan: Plan;
      readonly diagnostics: readonly Diagnostic[];
      /** As a person reads it; made when one does. */
      readonly view: () => View;
    }
  | ApplyEvent;

/** What an operation runs in. */
export interface Context extends RunContext {
  readonly report: (event: RunEvent) => void;
  readonly ask: (question: Question) => Promise<Answer>;
  /** Registers what is done with the outcome once its outputs are written, also with that of a failure. */
  readonly afterwards: (task: Afterwards) => void;
}

/** What did not become of it: an error fails a run that is otherwise fine, so that it is noticed. */
export interface Problem {
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
}

export type Afterwards = (outcome: Outcome<unknown>) => Promise<readonly Problem[]>;

/** The line of a value in a table of several targets, and the exit code for its target alone. */
export interface TargetRow {
  readonly state: TargetState;
  readonly code: ExitCode;
  /** Counts, by the name of their column. */
  readonly figures: { readonly [column: string]: number };
  /** Those of an apply that would follow; left out for those that were sent. */
  readonly requests?: number | null;
  /** Why it is in this state. */
  readonly message?: string;
  /** There is nothing to read of it among those of other targets. */
  readonly isQuiet?: boolean;
  /** It did what was agreed to, although its exit code is not 0: a run over several targets goes on. */
  readonly isDone?: true;
  /** Equal for targets for which there is the same to read; by default those with equal views. Asked only among several targets. */
  readonly same?: () => string;
  /** Equal for targets that differ in values only, where tables of the view have values. */
  readonly likeness?: () => string;
  /** Of the saved plan. */
  readonly digest?: string;
}

/** What an operation comes to. */
export interface OperationResult<Value> {
  /** The published document, without the members that every document has. */
  readonly value: Value;
  /** Findings about the files and the plan. */
  readonly diagnostics: readonly Diagnostic[];
  /** Sent, by action; null for an operation that asks no service. */
  readonly requests: Requests | null;
}

/** What is known of an outcome besides its value. */
export interface About {
  /** Name of the target; empty where it failed before that was known. */
  readonly target: string;
  /** When it began, RFC 3339. */
  readonly at: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: Requests | null;
}

export interface Operation<Options, Value> {
  readonly name: string;
  /** `license` takes the lease, and is finished also after a signal. `files` are written for one target at a time. */
  readonly changes: 'nothing' | 'files' | 'license';
  /** @throws UsageError, ApiError and all that means that there is no value */
  readonly run: (target: TargetChoice, options: Options, context: Context) => Promise<OperationResult<Value>>;
  readonly row: (value: Value, about: About, options: Options) => TargetRow;
  readonly view: (value: Value, about: About, options: Options) => View;
  /** What a page and a file have; by default the view, and the findings about the files. A comment is public: figures of single people are left out. */
  readonly page?: (value: Value, about: About, reader: 'page' | 'comment', options: Options) => View;
  /** A page of what came to no value, without what the options leave out. */
  readonly failedPage?: (view: View, options: Options) => View;
  /** Of several targets: makes an index of them, and each has its page in a file of its own. Null, by default: they share one page. */
  readonly index?: (options: Options) => ((entries: readonly IndexEntry<Value>[]) => View) | null;
  /** Of several targets: what there is to read of all of them before what there is of each, or in the place of it. */
  readonly together?: (entries: readonly IndexEntry<Value>[], options: Options) => Together;
  /** What there is to read of it among those of other targets; by default its view. */
  readonly among?: (value: Value, about: About, options: Options) => readonly Block[] | undefined;
  /** Of the findings about the files, those that its view does not say; by default all. */
  readonly besides?: (value: Value, about: About) => readonly Diagnostic[];
  /** The members of its document; by default the value. */
  readonly document?: (value: Value) => DocumentMembers;
  readonly findings: (value: Value, about: About, options: Options) => Findings;
  /** What CSV has of it. Of several targets, it has two more columns: `target`, and the `problem` of those without a value. */
  readonly table: (value: Value, about: About, options: Options) => Table;
  /** What channels are told. `says`: why, or what is dangerous; null where there is nothing to tell. */
  readonly news?: {
    readonly about: 'plan' | 'apply';
    readonly says: (value: Value, about: About) => readonly string[] | null;
  };
  /** Formats that no other operation has. */
  readonly formats?: Writers<Outcome<Value>>;
  /** A person at a terminal reads first which license it is about, and where that is. */
  readonly showsTarget?: true;
  /** It needs no manifest, and next to an address no chatform.yaml either. */
  readonly needsNoProject?: true;
  /** Of a failure, errors in the files are its findings as well; otherwise they only say why there are none. */
  readonly findsErrors?: true;
}

/** What there is to read of several targets together. `isAll`: only `--details` has more. */
export interface Together {
  readonly blocks: readonly Block[];
  readonly isAll: boolean;
}

/** A target in an index. */
export interface IndexEntry<Value> {
  readonly outcome: Outcome<Value>;
  readonly row: TargetRow;
  readonly labels: ReadonlyMap<string, string>;
}

/** What became of an operation on a target. Plain JSON: it can be stored, sent to another machine, and shown later. */
export type Outcome<Value> = KnownOutcome<Value> | Failed;

interface Ended extends About {
  readonly operation: string;
  readonly seconds: number;
  /** Of what was done afterwards. */
  readonly problems: readonly Problem[];
}

export interface KnownOutcome<Value> extends Ended {
  readonly state: 'known';
  readonly value: Value;
}

export interface Failed extends Ended {
  readonly state: 'failed' | 'outdated' | 'unreachable' | 'locked' | 'interrupted' | 'absent' | 'not begun';
  readonly message: string;
  /** That of the run that locks it out. */
  readonly lease?: FoundLease;
}
