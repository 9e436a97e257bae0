// Any of our pictures as one canvas: what stands in the document (shapes, words, canvases) is
// painted again where it stands. An <img> of the SVG would be shorter, but the page's policy
// rightly forbids images from blob: addresses, and words beside a picture would be missing from it.

const scale = 2;

function visibleColour(text) {
  return text && text !== 'none' && text !== 'transparent' && !/^rgba\(.*, 0\)$|\/ 0\)$/.test(text);
}

function shapePath(shape) {
  const number = (name) => Number(shape.getAttribute(name) || 0);
  if (shape.tagName === 'path') return new Path2D(shape.getAttribute('d') || '');
  const path = new Path2D();
  if (shape.tagName === 'line') {
    path.moveTo(number('x1'), number('y1'));
    path.lineTo(number('x2'), number('y2'));
  } else if (shape.tagName === 'rect') {
    path.roundRect(number('x'), number('y'), number('width'), number('height'), number('rx'));
  } else if (shape.tagName === 'circle') {
    path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
  } else {
    return null;
  }
  return path;
}

function paintShape(context, shape, origin) {
  const path = shapePath(shape);
  const place = path && shape.getScreenCTM();
  if (!place) return;
  const style = getComputedStyle(shape);
  context.save();
  context.transform(
      place.a, place.b, place.c, place.d, place.e - origin.left, place.f - origin.top);
  context.globalAlpha = Number(style.opacity) * Number(style.fillOpacity);
  context.fillStyle = style.fill;
  if (visibleColour(style.fill)) context.fill(path);
  context.globalAlpha = Number(style.opacity) * Number(style.strokeOpacity);
  context.strokeStyle = style.stroke;
  context.lineWidth = parseFloat(style.strokeWidth) || 1;
  context.lineCap = style.strokeLinecap;
  context.setLineDash(
      style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat));
  if (visibleColour(style.stroke)) context.stroke(path);
  context.restore();
}

function paintText(context, node, origin) {
  const text = node.textContent.trim();
  if (!text) return;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  if (box.width === 0) return;
  const style = getComputedStyle(node.parentElement);
  context.save();
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = node.parentElement instanceof SVGElement ? style.fill : style.color;
  context.globalAlpha = Number(style.opacity);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.translate(
      (box.left + box.right) / 2 - origin.left, (box.top + box.bottom) / 2 - origin.top);
  if (style.writingMode.startsWith('vertical')) context.rotate(-Math.PI / 2);
  context.fillText(text, 0, 0);
  context.restore();
}

/** Slanting lines, as the page draws what is hidden. */
function paintHatching(context, {x, y, width, height}) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = getComputedStyle(document.body).getPropertyValue('--line');
  context.beginPath();
  for (let at = 0; at < width + height; at += 8) {
    context.moveTo(x + at - height, y);
    context.lineTo(x + at, y + height);
  }
  context.stroke();
  context.restore();
}

function paintBox(context, element, origin) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const [x, y, width, height] =
      [box.left - origin.left, box.top - origin.top, box.width, box.height];
  if (visibleColour(style.backgroundColor)) {
    context.fillStyle = style.backgroundColor;
    context.fillRect(x, y, width, height);
  }
  if (style.backgroundImage !== 'none') paintHatching(context, {x, y, width, height});
  if (element instanceof HTMLCanvasElement) context.drawImage(element, x, y, width, height);
}

/** The element as a canvas, twice its size on the page, on the page's own background. */
export function raster(element) {
  element.classList.add('exporting');
  try {
    const origin = element.getBoundingClientRect();
    const canvas = document.createElement('canvas');
    canvas.width = Math.min(16384, Math.ceil(Math.max(origin.width, element.scrollWidth) * scale));
    canvas.height =
        Math.min(16384, Math.ceil(Math.max(origin.height, element.scrollHeight) * scale));
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    context.fillStyle = getComputedStyle(document.body).getPropertyValue('--card');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = false;
    const walker =
        document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE)
        paintText(context, node, origin);
      else if (node instanceof SVGElement)
        paintShape(context, node, origin);
      else
        paintBox(context, node, origin);
    }
    return canvas;
  } finally {
    element.classList.remove('exporting');
  }
}
