// A text with its status and headers comes in, a Response goes out that a server can send without a stream: making the stream is most of
// what a Response costs. Must not know what the text says.

const TEXT = Symbol('text');
const WHOLE = Symbol('whole');

/** Status and headers are the Response's own; whatever concerns the body is asked of `WHOLE`, which is made for the first who asks. */
interface Held extends Response {
  [TEXT]?: string;
  [WHOLE]?: Response;
}

function whole(held: Held): Response {
  held[WHOLE] ??= new Response(held[TEXT], { status: held.status, headers: held.headers });
  return held[WHOLE];
}

const asked = (name: 'body' | 'bodyUsed'): PropertyDescriptor => ({
  get(this: Held) {
    return whole(this)[name];
  },
});

const called = (name: 'arrayBuffer' | 'blob' | 'clone' | 'formData' | 'json' | 'text'): PropertyDescriptor => ({
  value(this: Held) {
    return whole(this)[name]();
  },
});

const HELD: object = Object.create(Response.prototype, {
  body: asked('body'),
  bodyUsed: asked('bodyUsed'),
  arrayBuffer: called('arrayBuffer'),
  blob: called('blob'),
  clone: called('clone'),
  formData: called('formData'),
  json: called('json'),
  text: called('text'),
});

/** A Response of this text; of no body at all when it is null. */
export function textResponse(text: string | null, status: number, headers: Readonly<Record<string, string>>): Response {
  const response: Held = new Response(null, { status, headers });
  if (text === null) return response;
  response[TEXT] = text;
  return Object.setPrototypeOf(response, HELD);
}

/** The text of a response that nobody has begun to read, where it is known without reading. */
export function textAtHand(response: Response): string | undefined {
  const held: Held = response;
  return held[WHOLE] === undefined ? held[TEXT] : undefined;
}
