// A picture under a veil, which is clear where a model looked and nearly hides where it did not: as
// the figures of the command line have it (regard/viewer/look_sheet.cpp).

import {theme} from './theme.js';

const thick = 0.74;
// Of neither paper nor ink, so that what is black or white can be told from it.
const veils = {
  light: [188, 192, 206],
  dark: [84, 86, 104]
};

/** A square canvas with a picture in its middle, white around it, as the model reads it. */
export function squared(picture, side) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const scale = side / Math.max(picture.width, picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.fillStyle = '#fff';
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (side - width) / 2, (side - height) / 2, width, height);
  return canvas;
}

/** The same where nobody looked: dim and nearly grey, so that bright ground stands out too. */
export function veiled(square) {
  const {width, height} = square;
  const image = square.getContext('2d').getImageData(0, 0, width, height);
  const veil = veils[theme()];
  for (let i = 0; i < image.data.length; i += 4) {
    const grey = 0.3 * image.data[i] + 0.59 * image.data[i + 1] + 0.11 * image.data[i + 2];
    for (let part = 0; part < 3; ++part)
      image.data[i + part] =
          thick * veil[part] + (1 - thick) * (0.35 * image.data[i + part] + 0.65 * grey);
  }
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
}

/**
 * Draws on a canvas, in its own size, what a look leaves to be seen: weights of `across` times
 * `across` patches, row by row.
 */
export function drawLook(canvas, {clear, dim, weights, across}) {
  const context = canvas.getContext('2d');
  const {width: side} = canvas;
  const most = Math.max(...weights);
  context.globalAlpha = 1;
  context.drawImage(dim, 0, 0, side, side);
  // Edges in whole pixels, so that no seam is left between patches.
  const edge = (i, length) => Math.round(i * length / across);
  weights.forEach((weight, i) => {
    if (!(weight > 0)) return;
    const [row, column] = [Math.floor(i / across), i % across];
    const box = (length) => {
      const [x, y] = [edge(column, length), edge(row, length)];
      return [x, y, edge(column + 1, length) - x, edge(row + 1, length) - y];
    };
    context.globalAlpha = weight / most;
    context.drawImage(clear, ...box(clear.width), ...box(side));
  });
  context.globalAlpha = 1;
}

/** Draws the edges of the patches. */
export function drawGrid(canvas, across) {
  const context = canvas.getContext('2d');
  const {width: side} = canvas;
  context.fillStyle = theme() === 'dark' ? 'rgb(255 255 255 / 0.16)' : 'rgb(28 26 48 / 0.16)';
  const thin = Math.max(1, Math.round(side / 450));
  for (let i = 1; i < across; ++i) {
    const at = Math.round(i * side / across) - Math.floor(thin / 2);
    context.fillRect(at, 0, thin, side);
    context.fillRect(0, at, side, thin);
  }
}
