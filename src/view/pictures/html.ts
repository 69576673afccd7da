// Pictures of a page: each kind of data as markup. A kind that is not drawn yet is null, and the page writes what stands in its place.

import type { Picture } from '../blocks.ts';
import { code, type Html, html } from '../html/markup.ts';
import { matrixPart } from './matrix.ts';

export function picturePart(picture: Picture): Html | null {
  switch (picture.kind) {
    case 'order':
      return orderPart(picture);
    case 'matrix':
      return matrixPart(picture);
    default:
      return null;
  }
}

function orderPart({ sides, moved }: Extract<Picture, { readonly kind: 'order' }>): Html {
  const isMoved = new Set(moved);
  return html`<div class="pair">${sides.map(({ title, names }) => html`<div><p class="caption">${title}</p><ol>${names.map((each) => html`<li>${isMoved.has(each) ? html`<strong>${code(each)}</strong>` : code(each)}</li>`)}</ol></div>`)}</div>`;
}
