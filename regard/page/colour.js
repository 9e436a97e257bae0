// From weights to colours: cividis (Nunez, Anderton and Renslow 2018,
// doi:10.1371/journal.pone.0199239), which reads the same with and without red-green blindness, and
// whose lightness grows evenly.

const anchors = [
  '00204d', '00336f', '39486b', '575c6d', '707173', '8a8779', 'a69d75', 'c4b56c', 'e4cf5b', 'ffea46'
].map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

function between(position) {
  const place = Math.min(1, Math.max(0, position)) * (anchors.length - 1);
  const low = Math.min(anchors.length - 2, Math.floor(place));
  return anchors[low].map(
      (part, i) => Math.round(part + (anchors[low + 1][i] - part) * (place - low)));
}

const table = Array.from({length: 256}, (_, i) => between(i / 255));
const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
const packed = Uint32Array.from(
    table,
    ([red, green, blue]) => little ? (255 << 24 | blue << 16 | green << 8 | red) >>> 0 :
                                     (red << 24 | green << 16 | blue << 8 | 255) >>> 0);

/** Black or white, whichever reads better on the colour of a position. */
export function inkOn(position) {
  const [red, green, blue] = between(position).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

/**
 * A picture of one pixel a cell; low .. high is spread over the whole palette, and a hidden cell is
 * clear.
 */
export function picture(matrix, high, low = 0) {
  const {rows, columns, values} = matrix;
  const image = new ImageData(Math.max(1, columns), Math.max(1, rows));
  const pixels = new Uint32Array(image.data.buffer);
  const factor = high > low ? 255 / (high - low) : 0;
  for (let i = 0; i < values.length; ++i) {
    // Tens of thousands of cells a head: rounding and clamping by hand is the quick way.
    const place = (values[i] - low) * factor + 0.5 | 0;
    pixels[i] = packed[place > 255 ? 255 : place < 0 ? 0 : place];
  }
  for (let row = 0; matrix.seen && row < rows; ++row)
    pixels.fill(0, row * columns + matrix.seen[row], (row + 1) * columns);
  return image;
}
