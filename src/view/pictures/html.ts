// Pictures of a page: each kind of data as markup.

import { assertNever } from '../../base/errors.ts';
import type { Picture } from '../blocks.ts';
import { code, type Html, html } from '../html/markup.ts';
import { heatMapPart } from './heat-map.ts';
import { matrixPart } from './matrix.ts';

export function picturePart(picture: Picture): Html {
  const { kind } = picture;
  switch (kind) {
    case 'heat-map':
      return heatMapPart(picture);
    case 'order':
      return orderPart(picture);
    case 'matrix':
      return matrixPart(picture);
    default:
      return assertNever(kind);
  }
}

function orderPart({ sides, moved }: Extract<Picture, { readonly kind: 'order' }>): Html {
  const isMoved = new Set(moved);
  return html`<div class="pair">${sides.map(({ title, names }) => html`<div><p class="caption">${title}</p><ol>${names.map((each) => html`<li>${isMoved.has(each) ? html`<strong>${code(each)}</strong>` : code(each)}</li>`)}</ol></div>`)}</div>`;
}
