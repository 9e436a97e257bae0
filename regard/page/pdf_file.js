// A scene as a PDF file of one page, its size (PDF 1.4; ISO 32000-1). Words stay words in the
// standard fonts, which need not be embedded; letters that these lack are small pictures.

import {packed, PdfWriter} from './pdf_writer.js';
import {paintText} from './raster.js';
import {measured, rgba, runsOf} from './scene.js';

const point = 0.75;  // of a pixel
const round = (number) => String(Number(number.toFixed(2)));
const all = (...numbers) => numbers.map(round).join(' ');
const shade = (...parts) => parts.map((part) => (part / 255).toFixed(3)).join(' ');

// The letters of WinAnsi from 128 to 159; the rest are those of Latin-1.
const between = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const symbols = {
  '≈': 0xbb,
  '→': 0xae,
  '←': 0xac,
  '↑': 0xad,
  '↓': 0xaf,
  '−': 0x2d,
  '≤': 0xa3,
  '≥': 0xb3,
  '∞': 0xa5,
  '√': 0xd6,
  '⋅': 0xd7,
  '⟨': 0xe1,
  '⟩': 0xf1
};

/** [font, byte] of a letter: 'text', 'symbol', or 'picture' where no font has it. */
function coded(letter) {
  const code = letter.codePointAt(0);
  if (code >= 32 && code < 127 || code >= 160 && code < 256) return ['text', code];
  if (letter !== '\0' && between.includes(letter)) return ['text', 128 + between.indexOf(letter)];
  return letter in symbols ? ['symbol', symbols[letter]] : ['picture', 0];
}

/** A text in pieces of one font each: [{font, text, bytes}]. */
function pieces(text, rtl) {
  if (rtl) return [{font: 'picture', text, bytes: []}];
  const result = [];
  for (const {segment} of new Intl.Segmenter().segment(text)) {
    const [font, byte] = segment.length === 1 ? coded(segment) : ['picture', 0];
    if (result.at(-1)?.font !== font) result.push({font, text: '', bytes: []});
    result.at(-1).text += segment;
    result.at(-1).bytes.push(byte);
  }
  return result;
}

const literal = (bytes) => '(' +
    bytes
        .map(
            (byte) => byte < 32 || byte > 126 || byte === 40 || byte === 41 || byte === 92 ?
                '\\' + byte.toString(8).padStart(3, '0') :
                String.fromCharCode(byte))
        .join('') +
    ')';

/** What the page's drawing needs besides itself. */
class Resources {
  constructor() {
    this.pictures = [];  // canvases
    this.shades = [];    // opacities
  }
  picture(canvas) { return `/P${this.pictures.push(canvas) - 1} Do`; }
  opacity(alpha) {
    const value = alpha.toFixed(3);
    if (!this.shades.includes(value)) this.shades.push(value);
    return `/A${this.shades.indexOf(value)} gs`;
  }
  fill([red, green, blue, alpha]) { return `${shade(red, green, blue)} rg ${this.opacity(alpha)}`; }
  stroke([red, green, blue, alpha]) {
    return `${shade(red, green, blue)} RG ${this.opacity(alpha)}`;
  }
}

const outline = (segments) =>
    segments
        .map(
            ([name, ...numbers]) =>
                name === 'Z' ? 'h' : `${all(...numbers)} ${{M: 'm', L: 'l', C: 'c'}[name]}`)
        .join(' ');

function path({segments, fill, stroke}, resources) {
  const parts = [];
  if (fill) parts.push(resources.fill(fill), outline(segments), 'f');
  if (stroke)
    parts.push(
        resources.stroke(stroke.colour), `${round(stroke.width)} w`,
        `${['butt', 'round', 'square'].indexOf(stroke.cap)} J`,
        `${stroke.join === 'round' ? 1 : 0} j`, `[${all(...stroke.dash)}] 0 d`, outline(segments),
        'S');
  return parts.join('\n');
}

const placed = (canvas, x, y, width, height, resources) =>
    `q ${all(width, 0, 0, -height, x, y + height)} cm ${resources.picture(canvas)} Q`;

/** Letters of no standard font, drawn four times as large as they will be shown. */
function drawnLetters(mark, text, width, resources) {
  const [zoom, size] = [4, mark.size];
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil((width + size) * zoom);
  canvas.height = Math.ceil(2 * size * zoom);
  const context = canvas.getContext('2d');
  context.scale(zoom, zoom);
  paintText(context, {...mark, text, x: (width + size) / 2, y: 1.4 * size, angle: 0});
  return placed(
      canvas, -size / 2, -1.4 * size, canvas.width / zoom, canvas.height / zoom, resources);
}

/** As wide as on the page: Helvetica is stretched to it. */
function words(mark, resources) {
  const {text, x, y, angle, width, size, font, bold, italic, colour, rtl, halo} = mark;
  const whole = measured(text, font).width || 1;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const parts =
      [`q ${[cos, sin, -sin, cos].map((number) => number.toFixed(5)).join(' ')} ${all(x, y)} cm`];
  let before = '';
  for (const piece of pieces(text, rtl)) {
    const start = measured(before, font).width / whole * width - width / 2;
    before += piece.text;
    const room = measured(before, font).width / whole * width - width / 2 - start;
    if (piece.font === 'picture') {
      parts.push(
          `q 1 0 0 1 ${all(start, 0)} cm`, drawnLetters(mark, piece.text, room, resources), 'Q');
      continue;
    }
    const symbol = piece.font === 'symbol';
    const name = symbol ? 'S' : `H${bold ? 'b' : ''}${italic ? 'i' : ''}`;
    const own = measured(
                    piece.text,
                    `${italic ? 'italic' : ''} ${bold ? 700 : 400} ${
                        size}px Helvetica, Arial, "Liberation Sans"`)
                    .width;
    const shown = (mode) => `BT /${name} ${round(size)} Tf ${mode} Tr ${
        symbol ? 100 : round(100 * room / (own || 1))} Tz 1 0 0 -1 ${all(start, 0)} Tm ${
        literal(piece.bytes)} Tj ET`;
    if (halo)
      parts.push(resources.stroke(halo.colour), `${round(halo.width)} w [] 0 d 1 j`, shown(1));
    parts.push(resources.fill(colour), shown(0));
  }
  return [...parts, 'Q'].join('\n');
}

function picture({canvas, x, y, width, height, opacity}, resources) {
  const runs = runsOf(canvas);
  if (!runs)
    return `${resources.opacity(opacity)} ${placed(canvas, x, y, width, height, resources)}`;
  const [across, down] = [width / canvas.width, height / canvas.height];
  return runs
      .map(([column, row, length, [red, green, blue, alpha]]) => `${resources.fill([
             red, green, blue, alpha * opacity
           ])} ${all(x + column * across, y + row * down, length * across, down)} re f`)
      .join('\n');
}

/** A picture's colours and, where it is clear somewhere, its mask. */
function channels(canvas) {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const [colours, mask] = [new Uint8Array(data.length / 4 * 3), new Uint8Array(data.length / 4)];
  for (let i = 0; i < mask.length; ++i) {
    colours.set(data.subarray(4 * i, 4 * i + 3), 3 * i);
    mask[i] = data[4 * i + 3];
  }
  return {colours, mask: mask.some((alpha) => alpha < 255) ? mask : null};
}

const unicode = (text) => `<FEFF${
    Array.from({length: text.length}, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0'))
        .join('')}>`;

export async function pdfOf({marks, left, top, width, height, paper}, title) {
  const resources = new Resources();
  const page = [
    `${all(point, 0, 0, -point, -left * point, (top + height) * point)} cm`,
    `${resources.fill(rgba(paper))} ${all(left, top, width, height)} re f`,
    ...marks.map((mark) => ({path, text: words, picture})[mark.kind](mark, resources)),
  ].join('\n');
  const file = new PdfWriter();
  const contents = file.object('/Filter /FlateDecode', await packed(page));
  const fonts = Object
                    .entries({
                      H: 'Helvetica',
                      Hb: 'Helvetica-Bold',
                      Hi: 'Helvetica-Oblique',
                      Hbi: 'Helvetica-BoldOblique',
                      S: 'Symbol'
                    })
                    .map(
                        ([name, full]) => `/${name} ${
                            file.object(`/Type /Font /Subtype /Type1 /BaseFont /${full}${
                                name === 'S' ? '' : ' /Encoding /WinAnsiEncoding'}`)}`);
  const pictures = [];
  for (const [i, canvas] of resources.pictures.entries()) {
    const {colours, mask} = channels(canvas);
    const soft = mask ? ` /SMask ${await file.image(canvas, mask, 'DeviceGray')}` : '';
    pictures.push(`/P${i} ${await file.image(canvas, colours, 'DeviceRGB', soft)}`);
  }
  const shades = resources.shades.map((alpha, i) => `/A${i} << /ca ${alpha} /CA ${alpha} >>`);
  const parent = file.places.length + 2;  // the object after the page
  const own = file.object(`/Type /Page /Parent ${parent} 0 R /MediaBox [0 0 ${
      all(width * point, height * point)}] /Contents ${contents} /Resources << /Font << ${
      fonts.join(
          ' ')} >> /XObject << ${pictures.join(' ')} >> /ExtGState << ${shades.join(' ')} >> >>`);
  const pages = file.object(`/Type /Pages /Kids [${own}] /Count 1`);
  const info = file.object(`/Title ${unicode(title)} /Producer (regard)`);
  return file.end(file.object(`/Type /Catalog /Pages ${pages}`), info);
}
