"""Measuring what is drawn: texts that lie over each other or under a button, are cut, or leave the box
they stand in."""

# Every text in sight, with its corners (a name that leans is measured along the line it leans on) and what is around it;
# `layer` is what stays in its place while the rest scrolls by.
TEXTS = """
const angle = (each) => {
  let turned = 0;
  for (; each; each = each.parentElement) {
    const {transform, rotate} = getComputedStyle(each), {a, b} = new DOMMatrix(transform === 'none' ? '' : transform);
    turned += Math.atan2(b, a) + (parseFloat(rotate) || 0) * Math.PI / 180;
  }
  return turned;
};
const corners = (box) => [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]];
const leaning = (each, turned) => {
  const box = each.getBoundingClientRect(), middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const [sine, cosine, x, y] = [Math.sin(turned), Math.cos(turned), each.offsetWidth / 2, each.offsetHeight / 2];
  return [[-x, -y], [x, -y], [x, y], [-x, y]].map(([dx, dy]) => [middle[0] + dx * cosine - dy * sine, middle[1] + dx * sine + dy * cosine]);
};
const written = (each) => {  // of SVG, whatever way it is turned
  const {x, y, width, height} = each.getBBox(), matrix = each.getScreenCTM();
  return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]].map(([a, b]) => {
    const point = new DOMPoint(a, b).matrixTransform(matrix);
    return [point.x, point.y];
  });
};
const seen = (holder) => {  // the frames around it: what a scrolling one leaves of it, and those that would cut it
  const frame = {left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity}, cutting = [];
  let layer = null, scroller = null, short = null, unseen = false;
  for (let each = holder; each && each !== document.body; each = each.parentElement) {
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    if (!layer && (style.position === 'fixed' || style.position === 'sticky')) layer = each;
    if (each.tagName === 'text' || style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    if (box.width <= 2 || box.height <= 2) unseen = true;  // for screen readers alone
    if ([style.overflowX, style.overflowY].some((way) => way === 'auto' || way === 'scroll')) {
      scroller ||= each;
      for (const side of ['left', 'top']) frame[side] = Math.max(frame[side], box[side]);
      for (const side of ['right', 'bottom']) frame[side] = Math.min(frame[side], box[side]);
    } else if (style.textOverflow === 'ellipsis') {
      short ||= each;
    } else if (!scroller) {
      cutting.push(box);
    }
  }
  return {frame, cutting, layer, scroller, short, unseen};
};
const kept = (box, short) => {  // what dots leave of it
  if (!short) return box;
  const {left, right} = short.getBoundingClientRect();
  return {left: Math.max(left, box.left), right: Math.min(right, box.right), top: box.top, bottom: box.bottom};
};
const texts = (root) => {
  const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || holder.closest('select, title, desc, script, style, .spoken') ||
        !holder.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const around = seen(holder), {frame} = around, svg = holder.closest('text');
    if (around.unseen) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const turned = svg ? 0 : angle(holder);
    const quads = svg ? [written(svg)] : Math.abs(turned) > 0.01 ? [leaning(holder, turned)] : [...range.getClientRects()].map((box) => corners(kept(box, around.short)));
    for (const quad of quads) {
      const [across, down] = [0, 1].map((i) => quad.map((corner) => corner[i]));
      const box = {left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down)};
      if (box.right - box.left > 1 && box.bottom > frame.top && box.top < frame.bottom && box.right > frame.left && box.left < frame.right)
        found.push({...around, words: node.data.trim().slice(0, 40), quad, box, holder: svg || holder});
    }
  }
  return found;
};
"""

# How far two quads reach into each other, in pixels, by the axis on which they do so least.
OVERLAPS = """
const depth = (one, two) => {
  let least = Infinity;
  for (const quad of [one, two])
    for (const i of [0, 1]) {
      const [dx, dy] = [quad[i + 1][0] - quad[i][0], quad[i + 1][1] - quad[i][1]], length = Math.hypot(dx, dy) || 1;
      const along = (corners) => corners.map(([x, y]) => (x * dx + y * dy) / length);
      const [a, b] = [along(one), along(two)];
      least = Math.min(least, Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b)));
    }
  return least;
};
const inSight = ({box, frame}) => box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
const overlapping = (all) => {
  const found = [], sorted = all.filter(inSight).sort((a, b) => a.box.top - b.box.top);
  sorted.forEach((one, i) => {
    for (let j = i + 1; j < sorted.length && sorted[j].box.top < one.box.bottom; ++j) {
      const two = sorted[j];
      if (one.holder === two.holder || one.layer !== two.layer) continue;
      if (Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left) > 1 && depth(one.quad, two.quad) > SLACK)
        found.push(`“${one.words}” over “${two.words}”`);
    }
  });
  return found;
};
"""

# Texts that are cut by a frame which does not scroll, or leave the drawing, button, cell or card they stand in.
LEAVING = """
const boxes = 'svg, button, a, td, th, li, summary, .card, .pane, .word, .chip, .door, .head-cell';
const beyond = (box, other, slack) => Math.max(other.left - box.left, box.right - other.right, other.top - box.top, box.bottom - other.bottom) > slack;
const leaving = (all) => all.flatMap(({words, box, cutting, scroller, short, holder}) => {
  const found = [];
  if (short && short.scrollWidth > short.clientWidth + 1 && !short.closest('[title], [aria-label]')) found.push(`“${words}” is shortened and stands whole nowhere`);
  if (cutting.some((frame) => beyond(box, frame, SLACK))) found.push(`“${words}” is cut`);
  if (!scroller && (box.left < -1 || box.right > innerWidth + 1)) found.push(`“${words}” leaves the screen`);
  for (let own = holder.closest(boxes); own && !own.contains(scroller || null); own = own.parentElement.closest(boxes)) {
    const rect = own.getBoundingClientRect();
    if (getComputedStyle(own).display !== 'inline' && beyond(box, rect, SLACK)) found.push(`“${words}” leaves its ${own.tagName} ${own.getAttribute('class')}`);
  }
  const block = holder.closest('.block')?.querySelector('.block-box').getBoundingClientRect();
  if (block && beyond(box, block, 1)) found.push(`“${words}” leaves its block`);
  return found;
});
"""

# Buttons of a picture alone that lie over a text which is not theirs.
COVERING = """
const covering = (root, all) => [...root.querySelectorAll('button.icon')].filter(each => each.checkVisibility({visibilityProperty: true, opacityProperty: true})).flatMap(button => {
  const rect = button.getBoundingClientRect(), {layer, unseen} = seen(button);
  return unseen ? [] : all.filter(text => inSight(text) && text.layer === layer && !button.contains(text.holder) &&
    depth(corners(rect), text.quad) > SLACK).map(({words}) => `the button “${button.title || button.getAttribute('aria-label')}” over “${words}”`);
});
"""

# What watches the sizes of boxes has drawn anew.
SETTLED = "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));\n"
SLACK = "const SLACK = 3;\n"  # rows of text share some pixels of what letters leave free above and below

WRONG = "async root => {" + SETTLED + SLACK + TEXTS + OVERLAPS + LEAVING + COVERING + """
  const all = texts(root), found = [...overlapping(all), ...leaving(all), ...covering(root, all)];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  return [...new Set(found)];
}"""


def wrong(page):
    """What is wrong with the texts of the whole page, in words."""
    return page.eval_on_selector("body", WRONG)


def overlaps(page, selector):
    """Texts of some figures that overlap."""
    return page.eval_on_selector_all(selector, "all => {" + SLACK + TEXTS + OVERLAPS + "return all.flatMap(each => overlapping(texts(each))); }")


def outside(page, selector):
    """Texts of drawings that reach out of them, wherever these are scrolled to."""
    return page.eval_on_selector_all(selector, """all => all.flatMap(svg => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].filter(each => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
      }).map(each => each.textContent);
    })""")
