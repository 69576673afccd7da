// Images of 300 by 7 pixels, made by the encoders of Pillow 12.3.0.

const ENCODED = {
  png: [
    'iVBORw0KGgoAAAANSUhEUgAAASwAAAAHCAAAAACXCi/oAAAAIUlEQVR42mM8wTAKiAVMo0EwGlijgTUaWKOBNRpYIx4AAK+CANYZoXTyAAAAAE',
    'lFTkSuQmCC',
  ].join(''),
  gif: [
    'R0lGODdhLAEHAIEAAMjIyAAAAAAAAAAAACwAAAAALAEHAAAITAABCBxIsKDBgwgTKlzIsKHDhxAjSpxIsaLFixgzatzIsaPHjyBDihxJsqTJky',
    'hTqlzJsqXLlzBjypxJs6bNmzhz6tzJs6fPn0ApBgQAOw==',
  ].join(''),
  jpeg: [
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////////////////////////////////',
    '//////////wAALCAAHASwBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AKAAAAAAAAAA',
    'AAH/2Q==',
  ].join(''),
  progressiveJpeg: [
    '/9j/4AAQSkZJRgABAQAAAQABAAD//gALQSBjb21tZW50/9sAQwD///////////////////////////////////////////////////////////',
    '///////////////////////////8IACwgABwEsAQERAP/EABUAAQEAAAAAAAAAAAAAAAAAAAAB/9oACAEBAAAAAaAAAAAA/8QAFBABAAAAAAAA',
    'AAAAAAAAAAAAUP/aAAgBAQABBQIb/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQAGPwIb/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQ',
    'ABPyEb/9oACAEBAAAAEAAAAAAD/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQABPxAb/9k=',
  ].join(''),
  lossyWebp: [
    'UklGRlIAAABXRUJQVlA4IEYAAADQAwCdASosAQcAP83m8HK/uDMsIagD8DmJaQDQVAT5w4cOHDhw4NAA/tSZUNGn4f+KHmt7B2mJr/PBHlHg4I',
    '8o8HBHlFoA',
  ].join(''),
  losslessWebp: 'UklGRiIAAABXRUJQVlA4TBUAAAAvK4EBAAcQ/Y/+B4CE8H+9GNH/FAEA',
  extendedWebp: [
    'UklGRnwAAABXRUJQVlA4WAoAAAAQAAAAKwEABgAAQUxQSBAAAAABB1DAiAgACeH/ejGi/ykCVlA4IEYAAADQAwCdASosAQcAP83m8HK/uDMsIa',
    'gD8DmJaQDQVAT5w4cOHDhw4NAA/tSZUNGn4f+KHmt7B2mJr/PBHlHg4I8o8HBHlFoA',
  ].join(''),
} as const;

/** By the form of their content. */
export const IMAGES: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = Object.entries(ENCODED).map(
  ([name, text]) => [name, new Uint8Array(Buffer.from(text, 'base64'))],
);

export const PNG = new Uint8Array(Buffer.from(ENCODED.png, 'base64'));
