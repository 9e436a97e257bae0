// What stands on the page as a list of marks in the order of painting: paths, words and pictures.
// Files of any kind are made of it. The document is walked, because words and boxes beside a
// drawing belong to a figure too.

import {boxSegments, hatching, shapeSegments, transformed} from './path_data.js';

const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const known = new Map();

/** Any colour of CSS as [red, green, blue, alpha 0..1]; null where nothing is seen. */
export function rgba(text, opacity = 1) {
  if (!text || text === 'none') return null;
  if (!known.has(text)) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = '#000';
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    known.set(text, [red, green, blue, alpha / 255]);
  }
  const [red, green, blue, alpha] = known.get(text);
  return alpha * opacity > 0 ? [red, green, blue, alpha * opacity] : null;
}

/** The colour that a variable of the style sheet stands for now. */
export function paletteColour(name) {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const {color} = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** How wide a text is, and how far its letters reach above and below the line. */
export function measured(text, font) {
  pen.font = font;
  return pen.measureText(text);
}

const notPainted =
    '.unseen, .save, input, select, textarea, defs, clipPath, mask, marker, title, desc';
const lengths = (text) => text === 'none' ? [] : text.split(/[ ,]+/).map(parseFloat);

function shape(element, style, opacity, marks) {
  const segments = shapeSegments(element);
  const place = segments && element.getScreenCTM();
  if (!place) return;
  const scale = style.vectorEffect === 'non-scaling-stroke' ?
      1 :
      Math.sqrt(Math.abs(place.a * place.d - place.b * place.c));
  const fill = ['line', 'polyline'].includes(element.tagName) ?
      null :
      rgba(style.fill, opacity * style.fillOpacity);
  const colour = rgba(style.stroke, opacity * style.strokeOpacity);
  const width = (parseFloat(style.strokeWidth) || 0) * scale;
  if (!fill && !(colour && width)) return;
  marks.push({
    kind: 'path',
    segments: transformed(segments, place),
    fill,
    stroke: colour && width ? {
      colour,
      width,
      cap: style.strokeLinecap,
      join: style.strokeLinejoin,
      dash: lengths(style.strokeDasharray).map((length) => length * scale),
    } :
                              null,
  });
}

function border(box, style, radius, opacity, marks) {
  const sides = ['Top', 'Right', 'Bottom', 'Left'].map(
      (side) => ({
        width: style[`border${side}Style`] === 'none' ? 0 : parseFloat(style[`border${side}Width`]),
        colour: rgba(style[`border${side}Color`], opacity),
        dash: style[`border${side}Style`] === 'dotted' ? [1, 2] :
            style[`border${side}Style`] === 'dashed' ? [4, 3] :
                                                       [],
      }));
  const line = (segments, {width, colour, dash}) => marks.push({
    kind: 'path',
    segments,
    fill: null,
    stroke: {colour, width, cap: 'butt', join: 'miter', dash}
  });
  const [top, right, bottom, left] = sides;
  if (sides.every(
          (side) => side.width === top.width && String(side.colour) === String(top.colour))) {
    const half = top.width / 2;
    if (top.width && top.colour)
      line(
          boxSegments(
              box.left + half, box.top + half, box.width - top.width, box.height - top.width,
              radius - half),
          top);
    return;
  }
  const across = (y, side) =>
      side.width && side.colour && line([['M', box.left, y], ['L', box.right, y]], side);
  const down = (x, side) =>
      side.width && side.colour && line([['M', x, box.top], ['L', x, box.bottom]], side);
  across(box.top + top.width / 2, top);
  across(box.bottom - bottom.width / 2, bottom);
  down(box.left + left.width / 2, left);
  down(box.right - right.width / 2, right);
}

/**
 * A copy of a canvas, for it may be drawn again before the file is made. One that has `cells`
 * ({image: one pixel a cell, words: [{text, x, y, size, colour}]}) is taken from them, so that its
 * numbers stay text.
 */
function picture(element, place, style, marks) {
  const {image, words: written = []} = element.cells || {};
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] =
      image ? [image.width, image.height] : [element.width, element.height];
  const context = canvas.getContext('2d', {willReadFrequently: true});
  if (image)
    context.putImageData(image, 0, 0);
  else
    context.drawImage(element, 0, 0);
  marks.push({kind: 'picture', canvas, ...place});
  for (const {text, x, y, size, colour} of written) {
    const font = `${size}px ${style.fontFamily}`;
    const {width, fontBoundingBoxAscent: above, fontBoundingBoxDescent: below} =
        measured(text, font);
    marks.push({
      kind: 'text',
      text,
      x: place.x + x,
      y: place.y + y + (above - below) / 2,
      angle: 0,
      width,
      size,
      font,
      bold: false,
      italic: false,
      colour: rgba(colour, place.opacity),
      family: style.fontFamily,
      weight: '400',
      rtl: false,
      halo: null,
    });
  }
}

function box(element, style, opacity, marks) {
  const rect = element.getBoundingClientRect();
  const {left, top, width, height} = rect;
  if (width === 0 || height === 0) return;
  const rounding = style.borderTopLeftRadius;
  const radius = rounding.endsWith('%') ? parseFloat(rounding) / 100 * Math.min(width, height) :
                                          parseFloat(rounding);
  const fill = rgba(style.backgroundColor, opacity);
  if (fill)
    marks.push({
      kind: 'path',
      segments: boxSegments(left, top, width, height, radius),
      fill,
      stroke: null
    });
  if (style.backgroundImage.startsWith('repeating-linear-gradient')) {
    const colour = rgba(paletteColour('--line'), opacity);
    const segments = hatching(left + 1, top + 1, width - 2, height - 2);
    marks.push({
      kind: 'path',
      segments,
      fill: null,
      stroke: {colour, width: 1, cap: 'butt', join: 'miter', dash: []}
    });
  }
  border(rect, style, radius, opacity, marks);
  if (element instanceof HTMLCanvasElement && element.width && element.height)
    picture(element, {x: left, y: top, width, height, opacity}, style, marks);
}

/** Lines of a text as it is broken on the page: [{text, box}]. */
function lines(node) {
  const range = document.createRange();
  const rects = () => [...range.getClientRects()].filter((rect) => rect.width > 0);
  const whole = (rect, next) => ({
    left: Math.min(rect.left, next.left),
    right: Math.max(rect.right, next.right),
    top: Math.min(rect.top, next.top),
    bottom: Math.max(rect.bottom, next.bottom)
  });
  const {data} = node, start = data.search(/\S/);
  if (start < 0) return [];
  range.setStart(node, start);
  range.setEnd(node, data.trimEnd().length);
  const all = rects();
  if (all.length === 0) return [];
  if (all.length === 1 || node.parentElement instanceof SVGElement)
    return [{text: data.trim(), box: all.reduce(whole)}];
  const result = [];
  const add = (from, to, gap) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const [rect] = rects();
    if (!rect) return;
    const last = result.at(-1);
    if (last && Math.abs(last.box.top - rect.top) < 2) {
      last.text += gap + data.slice(from, to);
      last.box = whole(last.box, rect);
    } else {
      result.push({text: data.slice(from, to), box: rect});
    }
  };
  for (const {index, 0: word} of data.matchAll(/\S+/g)) {
    const end = index + word.length;
    range.setStart(node, index);
    range.setEnd(node, end);
    if (rects().length <= 1)
      add(index, end, ' ');
    else  // a long word that is broken itself
      for (let at = index; at < end; ++at) add(at, at + 1, at === index ? ' ' : '');
  }
  return result;
}

const clockwise = ({a, b}) => Math.atan2(b, a);

function words(node, {opacity, turn, clip}, marks) {
  const parent = node.parentElement;
  const style = getComputedStyle(parent);
  if (style.visibility !== 'visible') return;
  const drawn = parent instanceof SVGElement;
  const place = drawn ? parent.getScreenCTM() : null;
  const angle = (place ? clockwise(place) : turn) +
      (style.writingMode.startsWith('vertical') ? Math.PI / 2 : 0);
  const size = parseFloat(style.fontSize) * (place ? Math.hypot(place.a, place.b) : 1);
  const colour = rgba(drawn ? style.fill : style.color, opacity * (drawn ? style.fillOpacity : 1));
  if (!colour || size === 0) return;
  const bold = Number(style.fontWeight) >= 600, italic = style.fontStyle !== 'normal';
  const font = `${style.fontStyle} ${style.fontWeight} ${size}px ${style.fontFamily}`;
  for (const line of lines(node)) {
    const {left, right, top, bottom} = line.box;
    if (clip && (right < clip.left || left > clip.right || bottom < clip.top || top > clip.bottom))
      continue;
    const upper = style.textTransform === 'uppercase';
    let text = line.text.replace(/\s+/g, ' ');
    if (upper) text = text.toUpperCase();
    const metrics = measured(text, font);
    const level = Math.abs(Math.sin(angle)) < 0.01;
    let [from, to] = [left, right];
    if (level && clip && right - left > clip.right - clip.left + 1) {
      const room = clip.right - clip.left;
      while (text.length > 1 && measured(`${text}…`, font).width > room)
        text = text.slice(0, -1).trimEnd();
      text += '…';
      [from, to] = [clip.left, clip.left + measured(text, font).width];
    }
    const rise = (metrics.fontBoundingBoxAscent - metrics.fontBoundingBoxDescent) / 2;
    const [x, y] =
        [(from + to) / 2 - Math.sin(angle) * rise, (top + bottom) / 2 + Math.cos(angle) * rise];
    const width = level ? to - from : measured(text, font).width;
    const halo =
        drawn && style.paintOrder.startsWith('stroke') ? rgba(style.stroke, opacity) : null;
    marks.push({
      kind: 'text',
      text,
      x,
      y,
      angle,
      width,
      size,
      font,
      bold,
      italic,
      colour,
      family: style.fontFamily,
      weight: style.fontWeight,
      rtl: /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text),
      halo: halo ? {colour: halo, width: parseFloat(style.strokeWidth)} : null,
    });
    if (!drawn && style.textDecorationLine.includes('underline') && level)
      marks.push({
        kind: 'path',
        segments: [['M', from, y + 3], ['L', to, y + 3]],
        fill: null,
        stroke: {
          colour: rgba(style.textDecorationColor, opacity) || colour,
          width: parseFloat(style.textDecorationThickness) || 1,
          cap: 'butt',
          join: 'miter',
          dash: style.textDecorationStyle === 'dotted' ? [2, 2] : []
        },
      });
  }
}

function meet(clip, rect) {
  if (!clip) return rect;
  return {
    left: Math.max(clip.left, rect.left),
    right: Math.min(clip.right, rect.right),
    top: Math.max(clip.top, rect.top),
    bottom: Math.min(clip.bottom, rect.bottom)
  };
}

function walk(node, around, marks) {
  if (node.nodeType === Node.TEXT_NODE) return words(node, around, marks);
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(notPainted)) return;
  const style = getComputedStyle(node);
  if (style.display !== 'contents' && !node.checkVisibility()) return;
  if (style.clipPath.startsWith('inset(50%')) return;  // only for those who listen
  const inner = {...around, opacity: around.opacity * Number(style.opacity)};
  if (inner.opacity === 0) return;
  const drawn = node instanceof SVGElement && node.ownerSVGElement;
  if (!drawn) {
    if (style.transform !== 'none') inner.turn += clockwise(new DOMMatrix(style.transform));
    if (style.rotate !== 'none') inner.turn += parseFloat(style.rotate) * Math.PI / 180;
    if (style.overflowX !== 'visible' && node.tagName !== 'svg')
      inner.clip = meet(inner.clip, node.getBoundingClientRect());
  }
  if (style.visibility === 'visible') (drawn ? shape : box)(node, style, inner.opacity, marks);
  for (const child of node.childNodes) walk(child, inner, marks);
}

const mostCells = 20000;

/**
 * Runs of one colour in a picture of few cells, [column, row, length, [red, green, blue, alpha]];
 * null: too many.
 */
export function runsOf(canvas) {
  const {width, height} = canvas;
  if (width * height > mostCells) return null;
  const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
  const pixels = new Uint32Array(data.buffer);
  const runs = [];
  for (let row = 0; row < height; ++row)
    for (let from = 0, to; from < width; from = to) {
      const at = row * width + from;
      for (to = from + 1; to < width && pixels[row * width + to] === pixels[at];) ++to;
      const [red, green, blue, alpha] = data.subarray(4 * at, 4 * at + 4);
      if (alpha) runs.push([from, row, to - from, [red, green, blue, alpha / 255]]);
    }
  return runs;
}

/** The marks of what an element holds, in the coordinates of the screen. */
export function marksOf(element) {
  const marks = [];
  for (const child of element.childNodes) walk(child, {opacity: 1, turn: 0, clip: null}, marks);
  return marks;
}
