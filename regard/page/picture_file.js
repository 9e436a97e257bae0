// A figure as a file of a picture.

import {pdfOf} from './pdf_file.js';
import {canvasOf, sceneOf} from './raster.js';
import {svgOf} from './svg_file.js';
import {theme, withTheme} from './theme.js';

const margin = 24;  // in pixels

/** All that a picture of the element shows: in light colours, unless it is to be as it is shown. */
function shown(element, asShown) {
  const scene = () => sceneOf(element, margin);
  return asShown || theme() === 'light' ? scene() : withTheme('light', scene);
}

/** kind: SVG, PNG or PDF; gives a blob, or null where it is too large to be drawn. */
export async function pictureFile(kind, element, title, asShown) {
  const scene = shown(element, asShown);
  if (kind === 'SVG') return new Blob([svgOf(scene, title)], {type: 'image/svg+xml'});
  if (kind === 'PDF') return pdfOf(scene, title);
  return new Promise((done) => canvasOf(scene).toBlob(done));
}
