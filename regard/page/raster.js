// A figure as it is saved, unfolded and without marks of choice, and the canvas of it. (An <img> of
// the SVG would be shorter, but the page's policy rightly forbids images from blob: addresses.)

import {marksOf, paletteColour} from './scene.js';

const scale = 2;
const most = 16384;  // pixels of a side that every browser draws

/** Where a mark reaches: [left, top, right, bottom]. */
function reach(mark) {
  if (mark.kind === 'picture') return [mark.x, mark.y, mark.x + mark.width, mark.y + mark.height];
  if (mark.kind === 'text') {
    const [dx, dy] = [
      Math.cos(mark.angle) * mark.width / 2, Math.sin(mark.angle) * mark.width / 2
    ].map(Math.abs);
    return [
      mark.x - dx - mark.size / 4, mark.y - dy - mark.size, mark.x + dx + mark.size / 4,
      mark.y + dy + mark.size / 3
    ];
  }
  const half = (mark.stroke?.width || 0) / 2;
  const places = (odd) =>
      mark.segments.flatMap(([, ...numbers]) => numbers.filter((_, i) => i % 2 === odd));
  const [xs, ys] = [places(0), places(1)];
  const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity),
        largest = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
  return [least(xs) - half, least(ys) - half, largest(xs) + half, largest(ys) + half];
}

/** Does `work` while nothing in the element is scrolled, cut or marked. */
function unfolded(element, work) {
  const all = [...element.querySelectorAll('*')];
  const styles = all.map((each) => getComputedStyle(each));
  const scrollers =
      all.filter((_, i) => /auto|scroll/.test(styles[i].overflowX + styles[i].overflowY));
  const sticky = all.filter((_, i) => styles[i].position === 'sticky');
  const places = scrollers.map((each) => [each.scrollLeft, each.scrollTop]);
  const width = element.style.width;
  element.classList.add('exporting');
  scrollers.forEach((each) => each.classList.add('exporting-open'));
  sticky.forEach((each) => each.classList.add('exporting-still'));
  try {
    // What scrolled sideways gets its room, so that it covers nothing beside it.
    for (let turn = 0; turn < 3; ++turn) {
      const missing =
          scrollers.reduce((sum, each) => Math.max(sum, each.scrollWidth - each.clientWidth), 0);
      if (missing <= 1) break;
      element.style.width = `${element.getBoundingClientRect().width + missing}px`;
    }
    return work();
  } finally {
    element.style.width = width;
    element.classList.remove('exporting');
    scrollers.forEach((each) => each.classList.remove('exporting-open'));
    sticky.forEach((each) => each.classList.remove('exporting-still'));
    scrollers.forEach((each, i) => [each.scrollLeft, each.scrollTop] = places[i]);
  }
}

/**
 * What is saved of an element and all that it paints, with a margin on all sides: {marks, left,
 * top, width, height, paper}.
 */
export function sceneOf(element, margin) {
  return unfolded(element, () => {
    const marks = marksOf(element);
    const paper = paletteColour('--card');
    const box = element.getBoundingClientRect();
    const [left, top, right, bottom] = marks.map(reach).reduce(
        (all, each) => all.map((value, i) => Math[i < 2 ? 'min' : 'max'](value, each[i])),
        [box.left, box.top, box.left + 1, box.top + 1]);
    return {
      marks,
      paper,
      left: left - margin,
      top: top - margin,
      width: right - left + 2 * margin,
      height: bottom - top + 2 * margin
    };
  });
}

const css = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha})`;

function paintPath(context, {segments, fill, stroke}) {
  context.beginPath();
  for (const [name, ...numbers] of segments)
    if (name === 'Z')
      context.closePath();
    else
      context[{M: 'moveTo', L: 'lineTo', C: 'bezierCurveTo'}[name]](...numbers);
  if (fill) {
    context.fillStyle = css(fill);
    context.fill();
  }
  if (!stroke) return;
  context.strokeStyle = css(stroke.colour);
  [context.lineWidth, context.lineCap, context.lineJoin] = [stroke.width, stroke.cap, stroke.join];
  context.setLineDash(stroke.dash);
  context.stroke();
}

export function paintText(context, {text, x, y, angle, font, colour, halo}) {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.font = font;
  context.textAlign = 'center';
  if (halo) {
    [context.strokeStyle, context.lineWidth, context.lineJoin] =
        [css(halo.colour), halo.width, 'round'];
    context.strokeText(text, 0, 0);
  }
  context.fillStyle = css(colour);
  context.fillText(text, 0, 0);
  context.restore();
}

export function canvasOf({marks, left, top, width, height, paper}) {
  const canvas = document.createElement('canvas');
  const zoom = Math.min(scale, most / width, most / height);
  canvas.width = Math.ceil(width * zoom);
  canvas.height = Math.ceil(height * zoom);
  const context = canvas.getContext('2d');
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = false;
  context.setTransform(zoom, 0, 0, zoom, -left * zoom, -top * zoom);
  for (const mark of marks) {
    if (mark.kind === 'path') {
      paintPath(context, mark);
    } else if (mark.kind === 'text') {
      paintText(context, mark);
    } else {
      context.globalAlpha = mark.opacity;
      context.drawImage(mark.canvas, mark.x, mark.y, mark.width, mark.height);
      context.globalAlpha = 1;
    }
  }
  return canvas;
}
