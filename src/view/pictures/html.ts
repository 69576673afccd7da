// Pictures of a page: each kind of data as markup.

import { assertNever } from '../../base/errors.ts';
import type { Picture } from '../blocks.ts';
import type { Html } from '../html/markup.ts';
import { heatMapPart } from './heat-map.ts';
import { matrixPart } from './matrix.ts';
import { orderPart } from './order.ts';

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
