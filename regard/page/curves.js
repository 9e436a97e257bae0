// Lines over a common axis: training curves, waves, distances. Both axes are named, each line at
// its end, and there are points where it was measured.

import {draw, drawnToWidth, make, pageFont, say, textWidth} from './dom.js';
import {apart, decades, ticks, tickText} from './plot_axes.js';
import {brief} from './wording.js';

const labelSize = 12.5;
const labelHeight = 17;

/** Exponential moving average, started at the first value. */
export function smoothed(points, share) {
  let mean = null;
  return points.map(([x, y]) => {
    mean = mean === null ? y : share * mean + (1 - share) * y;
    return [x, mean];
  });
}

const lastOf = (points) => points[points.length - 1];

export class Curves {
  constructor({height = 240} = {}) {
    this.height = height;
    this.svg = draw('svg', {class: 'curves', role: 'img', height, tabindex: '0'});
    this.legend = make('ul', {class: 'legend', hidden: true});
    this.readout = make('p', {class: 'readout'});
    this.element = make('div', {class: 'curves-box'}, this.legend, this.svg, this.readout);
    this.svg.addEventListener(
        'pointermove',
        (event) => this.point(event.clientX - this.svg.getBoundingClientRect().left));
    this.svg.addEventListener(
        'pointerleave', () => this.cursor?.setAttribute('visibility', 'hidden'));
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.redraw = drawnToWidth(this.svg, () => this.data && this.draw());
  }

  /**
   * data: {series: [{name, points: [[x, y]], dots, look}], log, zero, label, xName, yName, marks}.
   * dots: whether each point was measured; look: class of the line; zero: the axis begins at 0;
   * range: [low, high] of it, if not that of the points; marks: [{x, y, text, strong}] named values, left out where there is no room.
   */
  show(data) {
    const usable = (points) => points.filter(([, y]) => Number.isFinite(y) && (!data.log || y > 0));
    this.data = {
      ...data,
      series: data.series
                  .map((each, i) => ({
                         look: `curve-${i % 6}`,
                         ...each,
                         points: usable(each.points),
                       }))
                  .filter((each) => each.points.length > 0),
    };
    this.svg.setAttribute('aria-label', data.label);
    this.redraw();
  }

  /** Names at the ends of the lines, or above them where they would take too much room. */
  names() {
    const {series} = this.data;
    const widest =
        Math.max(0, ...series.map((each) => textWidth(each.name, pageFont(labelSize, 600))));
    const wanted = series.length > 1;
    const beside = wanted && widest < this.width * 0.24 && this.width > 420;
    this.legend.hidden = !wanted || beside;
    const sample = (look) => draw(
        'svg', {width: 26, height: 8, 'aria-hidden': 'true'},
        draw('path', {d: 'M1 4H25', class: `curve ${look}`}));
    this.legend.replaceChildren(
        ...(this.legend.hidden ? [] :
                                 series.map(({name, look}) => make('li', {}, sample(look), name))));
    return beside ? widest + 14 : 0;
  }

  /** How values become places. */
  scales(right) {
    const {series, log, zero, range, xName, yName} = this.data;
    const all = series.flatMap((each) => each.points);
    const extent = (i) => all.reduce(
        ([low, high], point) => [Math.min(low, point[i]), Math.max(high, point[i])],
        [Infinity, -Infinity]);
    let [first, last] = extent(0), [low, high] = range || extent(1);
    if (zero) first = Math.min(0, first);
    if (zero && !log) low = Math.min(0, low);
    if (low === high) [low, high] = log ? [low / 2, high * 2] : [low - 1, high + 1];
    const rows = log ? decades(low, high) : ticks(low, high, Math.max(4, this.height / 52));
    const digits = Math.max(...rows.map((value) => textWidth(tickText(value), pageFont(12))));
    const frame = this.frame = {
      left: digits + 14 + (yName ? 22 : 0),
      right: this.width - Math.max(18, right),
      top: 18,
      bottom: this.height - (xName ? 46 : 28),
    };
    const share = (value) =>
        log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    const across = Math.max(1, frame.right - frame.left);
    this.x = (value) =>
        frame.left + (last > first ? (value - first) / (last - first) : 0.5) * across;
    this.y = (value) => frame.bottom - share(value) * (frame.bottom - frame.top);
    const whole = all.every(([x]) => Number.isInteger(x));  // steps: there are none between
    return {rows, columns: ticks(first, last, across / 120, whole ? 1 : 0)};
  }

  axes({rows, columns}) {
    const {xName, yName} = this.data;
    const {left, right, top, bottom} = this.frame;
    const text = (attributes, words) => draw('text', {class: 'axis-text', ...attributes}, words);
    const middle = (top + bottom) / 2;
    return [
      ...rows.map(
          (value) => draw(
              'line', {class: 'axis', x1: left, x2: right, y1: this.y(value), y2: this.y(value)})),
      ...rows.map(
          (value) =>
              text({x: left - 8, y: this.y(value) + 4, 'text-anchor': 'end'}, tickText(value))),
      ...columns.map(
          (value) =>
              text({x: this.x(value), y: bottom + 20, 'text-anchor': 'middle'}, tickText(value))),
      xName &&
          text(
              {
                x: (left + right) / 2,
                y: bottom + 40,
                'text-anchor': 'middle',
                class: 'axis-text axis-name'
              },
              xName),
      yName &&
          text(
              {
                transform: `translate(13 ${middle}) rotate(-90)`,
                'text-anchor': 'middle',
                class: 'axis-text axis-name'
              },
              yName),
    ].filter(Boolean);
  }

  draw() {
    this.width = this.svg.clientWidth;
    const {series} = this.data;
    this.svg.setAttribute('viewBox', `0 0 ${this.width || 1} ${this.height}`);
    this.legend.hidden = true;
    if (series.length === 0 || this.width === 0) {
      this.x = null;
      this.svg.replaceChildren(draw('text', {x: 20, y: 30, class: 'axis-text'}, 'nothing yet'));
      return;
    }
    const beside = this.names();
    const axes = this.axes(this.scales(beside));
    const place = ([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`;
    const {top, bottom} = this.frame;
    const ends = beside ? this.ends() : [];
    this.cursor = draw('line', {class: 'cursor', y1: top, y2: bottom, visibility: 'hidden'});
    this.svg.replaceChildren(
        ...axes,
        ...series.map(
            ({points, look}) =>
                draw('path', {class: `curve ${look}`, d: `M${points.map(place).join('L')}`})),
        ...series.flatMap((each) => this.dots(each)),
        ...ends.map(
            ({name, look, x, y}) => draw('text', {class: `curve-name ${look}`, x, y}, name)),
        ...this.marks(ends), this.cursor);
  }

  dots({points, dots, look}) {
    const shown = dots || points.length === 1 ? points : [];
    const r = shown.length > this.width / 12 ? 1.6 : 3.4;
    return shown.map(
        ([x, y]) => draw('circle', {class: `curve-dot ${look}`, cx: this.x(x), cy: this.y(y), r}));
  }

  /** Names of the lines at their ends: [{x, y, name, look}]. */
  ends() {
    const {series} = this.data;
    const wanted = series.map(({points}) => this.y(lastOf(points)[1]));
    const heights = apart(wanted, labelHeight, this.frame.top, this.frame.bottom);
    return series.map(
        ({name, points, look}, i) =>
            ({name, look, x: this.x(lastOf(points)[0]) + 10, y: heights[i] + 4}));
  }

  /** Values written at their points: the strong ones first, the others where there is room. */
  marks(ends) {
    const font = pageFont(labelSize, 600);
    const taken = ends.map(
        ({name, x, y}) =>
            ({left: x, right: x + textWidth(name, font), top: y - 14, bottom: y + 4}));
    const free = (box) => taken.every(
        (other) => box.right < other.left || box.left > other.right || box.bottom < other.top ||
            box.top > other.bottom);
    const shapes = [];
    for (const {x, y, text, strong, look = ''} of [...(this.data.marks || [])].sort(
             (a, b) => Boolean(b.strong) - Boolean(a.strong))) {
      const half = textWidth(text, pageFont(12, strong ? 660 : 400)) / 2;
      const [across, down] = [this.x(x), this.y(y)];
      const middle = (wanted) =>
          Math.min(Math.max(wanted, this.frame.left + half), this.width - half - 2);
      const boxed = (wanted, base, spare) => ({
        middle: middle(wanted),
        base,
        left: middle(wanted) - half - spare,
        right: middle(wanted) + half + spare,
        top: base - 14,
        bottom: base + 4,
      });
      const above = Math.max(12, down - 10);
      const box = strong ?
          [
            [across, above], [across - half, above], [across - half, down + 22],
            [across, down + 22], [across - half, down + 40]
          ].map(([wanted, base]) => boxed(wanted, base, 4)) :
          this.besideLine(x, y, across, half).map((wanted) => boxed(wanted, above, 24));
      const found = box.find(free) || (strong ? box[0] : null);
      if (!found) continue;
      taken.push(found);
      if (strong)
        shapes.push(
            draw('circle', {class: `curve-dot strong ${look}`, cx: across, cy: down, r: 5}));
      shapes.push(draw(
          'text', {
            class: `curve-mark${strong ? ' strong' : ''} ${look}`,
            x: found.middle,
            y: found.base,
            'text-anchor': 'middle'
          },
          text));
    }
    return shapes;
  }

  /** Where a value may be written above its point: none if the line would cross it. */
  besideLine(x, y, across, half) {
    if (!this.risesFrom(x, y)) return [across];
    return across - 2 * half >= this.frame.left ? [across - half] : [];
  }

  /** Whether a line climbs so fast from a point that it would cross what is written above it. */
  risesFrom(x, y) {
    for (const {points} of this.data.series) {
      const i = points.findIndex((point) => point[0] === x && point[1] === y);
      const next = points[i + 1];
      if (i >= 0 && next) return this.y(y) - this.y(next[1]) > 0.4 * (this.x(next[0]) - this.x(x));
    }
    return false;
  }

  /** The values nearest to a place under the pointer; gives the sentence. */
  point(at) {
    if (!this.data || !this.x) return '';
    const nearest = (points) => points.reduce(
        (best, point) =>
            Math.abs(this.x(point[0]) - at) < Math.abs(this.x(best[0]) - at) ? point : best);
    const found = this.data.series.map(({name, points}) => ({name, point: nearest(points)}));
    const distance = ({point}) => Math.abs(this.x(point[0]) - at);
    const [shown] =
        found.reduce((best, each) => distance(each) < distance(best) ? each : best).point;
    this.at = shown;
    this.cursor.setAttribute('x1', this.x(shown));
    this.cursor.setAttribute('x2', this.x(shown));
    this.cursor.setAttribute('visibility', 'visible');
    this.readout.textContent = `${this.data.xName || 'at'} ${tickText(shown)}:  ${
        found
            .map(
                ({name, point}) => `${name} ${brief(point[1])}${
                    point[0] === shown ? '' : ` (at ${tickText(point[0])})`}`)
            .join('  ·  ')}`;
    return this.readout.textContent;
  }

  /** Left and right go from one measured place to the next. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.x) return;
    const places =
        [...new Set(this.data.series.flatMap(({points}) => points.map(([x]) => x)))].sort(
            (a, b) => a - b);
    const now = places.indexOf(this.at);
    const next = {
      ArrowLeft: now < 0 ? places.length - 1 : now - 1,
      ArrowRight: now + 1,
      Home: 0,
      End: places.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    say(this.point(this.x(places[Math.min(places.length - 1, Math.max(0, next))])));
  }
}
