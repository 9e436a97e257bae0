// From numbers to colours of the palette, quickly: 256 shades of each scale.

import {colourAt} from './palette.js';
import {theme} from './theme.js';

const shades = 256;
const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const tables = {};

/** 256 colours of a scale in today's theme, as [red, green, blue] and as packed pixels. */
function table(name, now = theme()) {
  const key = `${name} ${now}`;
  if (!tables[key]) {
    const value = (i) => name === 'weight' ? i / (shades - 1) : 2 * i / (shades - 1) - 1;
    const colours = Array.from({length: shades}, (_, i) => colourAt(name, value(i), now));
    const packed = Uint32Array.from(
        colours,
        ([red, green, blue]) => little ? (255 << 24 | blue << 16 | green << 8 | red) >>> 0 :
                                         (red << 24 | green << 16 | blue << 8 | 255) >>> 0);
    tables[key] = {colours, packed};
  }
  return tables[key];
}

const shade = (name, position, now) =>
    table(name, now).colours[Math.round(Math.min(1, Math.max(0, position)) * (shades - 1))];
const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

/** The colour of a weight, 0 to 1. */
export const weightColour = (weight) => css(shade('weight', weight));
/** The same for drawings whose theme may change under them, as when a dark one is saved light. */
export const weightPaint = (weight) =>
    `light-dark(${css(shade('weight', weight, 'light'))}, ${css(shade('weight', weight, 'dark'))})`;
/** The colour of a number from -1 to 1: blue below zero, amber above. */
export const signedColour = (value) => css(shade('signed', (value + 1) / 2));

function readable(colour) {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

/** Black or white, whichever reads better on the colour of a weight. */
export const inkOn = (weight) => readable(shade('weight', weight));

/**
 * A picture of one pixel a cell; low .. high is spread over the whole scale ('weight', 'signed'),
 * and a hidden cell is clear.
 */
export function picture(matrix, high, low = 0, scale = 'weight') {
  const {rows, columns, values} = matrix;
  const {packed} = table(scale);
  const image = new ImageData(Math.max(1, columns), Math.max(1, rows));
  const pixels = new Uint32Array(image.data.buffer);
  const factor = high > low ? (shades - 1) / (high - low) : 0;
  for (let i = 0; i < values.length; ++i) {
    // Tens of thousands of cells a head: rounding and clamping by hand is the quick way.
    const place = (values[i] - low) * factor + 0.5 | 0;
    pixels[i] = packed[place > 255 ? 255 : place < 0 ? 0 : place];
  }
  for (let row = 0; matrix.seen && row < rows; ++row) {
    pixels.fill(0, row * columns + matrix.seen[row], (row + 1) * columns);
    pixels.fill(0, row * columns, row * columns + (matrix.first?.[row] ?? 0));
  }
  return image;
}
