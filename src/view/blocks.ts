// Blocks: what a view says, before a writer gives it the form of its medium. Every text is raw: writers alone escape, cut, wrap and colour.

import type { Json } from '../base/model.ts';
import type { SourcePlace } from '../plan/plan.ts';

export type Tone = 'add' | 'change' | 'destroy' | 'move' | 'calm' | 'warning' | 'error' | 'strong' | 'faint';

/** Its sign in a terminal, its word in a page and a comment, its tone in both. */
export interface Mark {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
}

/** A part of a text. `field`: a field of an object, or a member of one. `name`: what people call an object. `code`: words of a file or a flag. `command`: a whole command. `message`: text to send to a person, which a page folds. */
export interface MarkedSpan {
  readonly text: string;
  /** Among several names that a terminal has no room for. */
  readonly shorter?: string;
  readonly as?: 'address' | 'field' | 'name' | 'value' | 'code' | 'command' | 'time' | 'file' | 'message';
  readonly tone?: Tone;
  /** The id of an item or a section of the same document. */
  readonly to?: string;
  readonly url?: string;
  /** A target with a page of its own next to this one. */
  readonly page?: string;
}

/** Several names: a terminal shows as many as fit, and how many more there are. */
export interface NamesSpan {
  readonly names: readonly (string | MarkedSpan)[];
  /** More than so many are worth no room, but with `--details`. */
  readonly most?: number;
}

export type Span = string | MarkedSpan | NamesSpan | { readonly mark: Mark };

export type Text = Span | readonly Span[];

/** A value on one side. Null: nothing there. Undefined: this side has no part in it. */
export type Value = string | null | undefined | { readonly unknown: string };

/** A difference of a field in the words of its kind: `Mon-Fri`, `13:00-20:00`, `13:00-21:00`. */
export interface WordedChange {
  /** Empty for the whole field. */
  readonly about: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A resource, a field of it, or a member of the field. */
export interface Item {
  /** What links name. */
  readonly id?: string;
  /** A page shows those of the children in the place of a missing one. */
  readonly mark?: Mark;
  readonly label: Text;
  /** Next to the label. */
  readonly about?: Text;
  /** The same, shorter, for a line that has no room. Made only then. */
  readonly shorter?: () => readonly string[];
  /** What happens to it, after `about`; unlike that it is said of several objects at once. */
  readonly happens?: Text;
  /** One for each side of the block. */
  readonly values?: readonly Value[];
  /** Sides that changed. */
  readonly moved?: readonly number[];
  /** What `values` and `items` say, in words. */
  readonly words?: readonly WordedChange[];
  /** What is in it, such as the rules of an order. */
  readonly names?: readonly string[];
  readonly place?: SourcePlace | null;
  readonly items?: readonly Item[];
  /** Above its items. A terminal shows them only with `--details`, a comment folds them. Made when they are shown: a large license has many. */
  readonly details?: () => readonly Item[];
  /** Below its items. */
  readonly remarks?: readonly Text[];
  /** A terminal may show one item for all that differ in nothing but label, `about` and place: `33 agents with the same change: ...`. */
  readonly alike?: Noun;
  /** What a budget spares first; default 0. */
  readonly weight?: number;
}

/** `called`: what a list of several objects has of this one. */
export interface Noun {
  readonly one: string;
  readonly many: string;
  readonly called: string;
  /** What it is a value of: few values of one owner share a line. */
  readonly owner?: string;
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: Text;
}

export interface List {
  readonly type: 'list';
  readonly texts: readonly (Text | Entry)[];
  readonly isOrdered?: boolean;
  /** A terminal shows no more of them, but with `--details`. */
  readonly most?: number;
  /** Below all of them. */
  readonly remarks?: readonly Text[];
  /** A few lines with all names of `texts`, for a budget that these do not fit in: as many names as fit are written. */
  readonly brief?: readonly Text[];
  readonly weight?: number;
}

/** An entry of a list, and what stands below it. */
export interface Entry {
  readonly text: Text;
  readonly below: readonly Text[];
}

export interface FactsBlock {
  readonly type: 'facts';
  /** An empty name goes on with the fact above. */
  readonly facts: readonly (readonly [name: string, text: Text])[];
}

/** Lines of a file. A terminal shows all of them as they are. */
export interface Code {
  readonly type: 'code';
  readonly lines: readonly string[];
  readonly weight?: number;
}

/** Counts that a page shows as tiles. The result of the document says them in other media. */
export interface Counts {
  readonly type: 'counts';
  readonly counts: readonly (readonly [label: string, count: number, tone: Tone])[];
}

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Where a terminal has no room for the table, columns with this go, the highest first. */
  readonly dispensable?: number;
  /** A terminal cuts nothing of it, where it cuts others. */
  readonly isWhole?: boolean;
}

/** Bars stand in the last column. */
export type Cell = Text | number | Bars;

/** One number is as long as its share of `most`; several stand next to each other, as high as theirs. Other cells say the numbers. */
export interface Bars {
  readonly bars: readonly number[];
  readonly most: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Below its last cell. A table of values (CSV) has none. */
  readonly remarks?: readonly Text[];
  readonly weight?: number;
}

export interface Table {
  readonly type: 'table';
  /** What a reader of the screen calls it. */
  readonly name?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** It is what was asked for: a terminal shows every row in one line, with what fits. */
  readonly isList?: true;
}

/** Differences between sides, such as `before` and `after`. */
export interface Items {
  readonly type: 'items';
  readonly sides: readonly Side[];
  readonly items: readonly Item[];
  /** Whether a page shows them unfolded. */
  readonly isOpen?: boolean;
  /** Whether a terminal has an empty line below each. */
  readonly isSpaced?: boolean;
  /** Whether a terminal shows places only with `--details`. */
  readonly isPlaceDetail?: boolean;
  /** Whether a comment shows remarks in its table; others are folded. */
  readonly isRemarked?: boolean;
  /** Whether a command takes their addresses, so that a terminal shortens none. */
  readonly isAddressed?: boolean;
  /** Below all of them. */
  readonly remarks?: readonly Text[];
}

/** `short` in a line, `title` above a column. */
export interface Side {
  readonly short: string;
  readonly title: string;
}

export interface Section {
  readonly type: 'section';
  readonly id: string;
  readonly title: string;
  readonly tone?: Tone;
  readonly count?: number;
  /** What the document is about: a terminal has no title for it. */
  readonly isMain?: true;
  readonly body: readonly Block[];
  /** A page and a comment fold it; a terminal has these words in its place, unless `--details` unfolds it. */
  readonly fold?: Fold;
  /** What a budget spares first; default 0. It counts for what is in the section. */
  readonly weight?: number;
  /** How much of the room that is left it may take while others wait; default 0.6. */
  readonly share?: number;
  /** What is in it is a document of its own, such as that of one target: ids in it are not those of others. */
  readonly isDocument?: boolean;
}

export interface Fold {
  readonly brief: Text;
  /** What the brief counts, shown where it fits on the line. */
  readonly names?: readonly string[];
  /** The brief says all that is in the section. */
  readonly isComplete?: boolean;
}

/** Data that a page draws. All others write `instead`; a terminal draws a matrix that fits, a comment lists an order. A heat map is a table of its days there. */
export interface PictureBlock {
  readonly type: 'picture';
  readonly picture: Picture;
  readonly instead: readonly Block[];
}

/** Four shades; nothing where there should be something; something that no shade counts; and a time that there is not. */
export type HeatLook = 's1' | 's2' | 's3' | 's4' | 'none' | 'open' | 'void';

/** Around times: what is there alone, and what is lost. */
export type HeatFrame = 'alone' | 'lost';

/** A time of a row, in hours from its beginning. `text` stands in it where there is room, else `shorter`; `says` says all of it. */
export interface HeatTime<Look> {
  readonly from: number;
  readonly to: number;
  readonly look: Look;
  readonly text: string;
  readonly shorter?: string;
  readonly says: string;
}

export interface OrderEntry {
  /** The same on both sides. */
  readonly key: string;
  readonly label: Text;
  readonly about?: Text;
  readonly marks?: readonly Mark[];
}

export interface OrderSide {
  readonly title: string;
  readonly entries: readonly OrderEntry[];
}

export type Picture =
  | {
      /** A table that a reader of a page can save as CSV. */
      readonly kind: 'file';
      readonly name: string;
      readonly label: string;
      readonly table: Table;
    }
  | {
      readonly kind: 'heat-map';
      /** What it shows, in words. */
      readonly name: string;
      /** What the texts are, such as `Slots`. */
      readonly what: string;
      /** Days of 24 hours. */
      readonly rows: readonly {
        readonly label: string;
        readonly cells: readonly HeatTime<HeatLook>[];
        readonly frames: readonly HeatTime<HeatFrame>[];
      }[];
      /** Empty below a picture that has the same. */
      readonly legend: readonly (readonly [look: HeatLook | HeatFrame, says: string])[];
    }
  | {
      readonly kind: 'order';
      readonly name: string;
      /** Before and after. */
      readonly sides: readonly [OrderSide, OrderSide];
      /** Keys of what is moved: others only make room. */
      readonly moved: readonly string[];
    }
  | {
      readonly kind: 'matrix';
      readonly name: string;
      /** What a row is known by, such as its address, its name and a note. */
      readonly labels: readonly string[];
      readonly columns: readonly string[];
      /** A mark with a sign is a change. */
      readonly rows: readonly { readonly labels: readonly Text[]; readonly cells: readonly (Mark | null)[] }[];
    }
  | {
      readonly kind: 'form';
      /** Of its elements, which the script names: `ID-form`, `ID-answer`, `ID-data`, and `ID-NAME` of a field. */
      readonly id: string;
      readonly name: string;
      readonly fields: readonly {
        readonly name: string;
        readonly label: string;
        /** Of a choice, what is chosen at first. */
        readonly example: string;
        readonly type: 'text' | 'datetime-local' | 'choice';
        /** Of a choice. */
        readonly options?: readonly (readonly [value: string, says: string])[];
      }[];
      readonly button: string;
      /** Plain JSON, which the script reads with `unshareJson`; null where it needs none. */
      readonly data: object | null;
      /** The only one of its page. It must not have `</`. */
      readonly script: string;
    };

export type Block = TextBlock | List | FactsBlock | Code | Counts | Table | Items | Section | PictureBlock;

/** A document. A page and a comment begin with its result, a terminal ends with it. */
export interface View {
  readonly title: Text;
  readonly mark: Mark;
  readonly result: Text;
  /** Below the result. */
  readonly about: readonly Text[];
  /** What a person must have seen before going on: a page and a comment begin with it, a terminal ends with it, directly above the result. */
  readonly urgent?: readonly Block[];
  readonly body: readonly Block[];
  /** A page that a server has: its script asks there, and shows what changes. */
  readonly isLive?: boolean;
}

/** With its details among its items, at every depth. */
export function withDetails(item: Item): Item {
  const { details, items, ...own } = item;
  if (details === undefined && items === undefined) return item;
  return { ...own, items: [...(details?.() ?? []), ...(items ?? [])].map(withDetails) };
}

/** A view as data, with all details: what makes it equal to another. */
export function viewJson(view: object): Json {
  const made = (_: string, member: unknown): unknown => (typeof member === 'function' ? member() : member);
  return JSON.parse(JSON.stringify(view, made)) as Json;
}

export function spansOf(text: Text): readonly Span[] {
  return isSpans(text) ? text : [text];
}

function isSpans(text: Text): text is readonly Span[] {
  return Array.isArray(text);
}

/** Of bars, nothing. */
export function cellText(cell: Cell): Text {
  if (typeof cell === 'number') return String(cell);
  return isBars(cell) ? '' : cell;
}

export function entryOf(entry: Text | Entry): Entry {
  return typeof entry === 'object' && 'below' in entry ? entry : { text: entry, below: [] };
}

export function isBars(cell: Cell | undefined): cell is Bars {
  return typeof cell === 'object' && 'bars' in cell;
}

/** A text without form. */
export function plainText(text: Text): string {
  return spansOf(text)
    .map((span) => {
      if (typeof span === 'string') return span;
      if ('names' in span) return span.names.map(plainText).join(', ');
      return 'mark' in span ? span.mark.word : span.text;
    })
    .join('');
}
