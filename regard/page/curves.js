// Lines over a common axis: training curves, waves, distances. Drawn as SVG, one path a series.

import {draw, drawnToWidth, make} from './dom.js';
import {brief} from './wording.js';

const margin = {
  left: 52,
  right: 14,
  top: 10,
  bottom: 28
};

function ticks(low, high, wanted) {
  const raw = (high - low) / Math.max(1, wanted);
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  const result = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step)
    result.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return result;
}

/** Decades and, where they are few, their halves: for a logarithmic axis. */
function decades(low, high) {
  const result = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
    for (const factor of Math.log10(high / low) > 3 ? [1] : [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low && value <= high) result.push(value);
    }
  return result.length > 1 ? result : [low, high];
}

/** Exponential moving average, started at the first value. */
export function smoothed(points, share) {
  let mean = null;
  return points.map(([x, y]) => {
    mean = mean === null ? y : share * mean + (1 - share) * y;
    return [x, mean];
  });
}

export class Curves {
  constructor({height = 240} = {}) {
    this.height = height;
    this.svg = draw('svg', {class: 'curves', role: 'img', height});
    this.legend = make('ul', {class: 'legend'});
    this.readout = make('p', {class: 'readout'});
    this.element = make('div', {class: 'curves-box'}, this.legend, this.svg, this.readout);
    this.svg.addEventListener('pointermove', (event) => this.point(event.clientX));
    this.svg.addEventListener(
        'pointerleave', () => this.cursor?.setAttribute('visibility', 'hidden'));
    this.redraw = drawnToWidth(this.svg, () => this.data && this.draw());
  }

  /** data: {series: [{name, points: [[x, y]]}], log, label, xName} */
  show(data) {
    const usable = (points) => points.filter(([, y]) => Number.isFinite(y) && (!data.log || y > 0));
    this.data = {
      ...data,
      series: data.series.map((each) => ({...each, points: usable(each.points)}))
    };
    this.svg.setAttribute('aria-label', data.label);
    this.legend.replaceChildren(
        ...(data.series.length > 1 ?
                data.series.map(
                    (each, i) => make(
                        'li', {},
                        draw(
                            'svg', {width: 26, height: 8, 'aria-hidden': 'true'},
                            draw('path', {d: 'M1 4H25', class: `curve curve-${i % 6}`})),
                        each.name)) :
                []));
    this.redraw();
  }

  draw() {
    const {series, log, xName = ''} = this.data;
    this.width = this.svg.clientWidth;
    const all = series.flatMap((each) => each.points);
    this.svg.setAttribute('viewBox', `0 0 ${this.width || 1} ${this.height}`);
    if (all.length === 0) {
      this.svg.replaceChildren(draw('text', {x: 20, y: 30, class: 'axis-text'}, 'nothing yet'));
      return;
    }
    const extent = (i) => all.reduce(
        ([low, high], point) => [Math.min(low, point[i]), Math.max(high, point[i])],
        [Infinity, -Infinity]);
    const [left, right] = extent(0);
    let [low, high] = extent(1);
    if (low === high) [low, high] = log ? [low / 2, high * 2] : [low - 1, high + 1];
    const inner = {
      width: Math.max(1, this.width - margin.left - margin.right),
      height: this.height - margin.top - margin.bottom
    };
    this.x = (value) =>
        margin.left + (right > left ? (value - left) / (right - left) : 0.5) * inner.width;
    const share = (value) =>
        log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    this.y = (value) => margin.top + (1 - share(value)) * inner.height;
    const line = (points) =>
        'M' + points.map(([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join('L');
    const across = (log ? decades(low, high) : ticks(low, high, this.height / 36))
                       .map(
                           (value) => draw(
                               'g', {}, draw('line', {
                                 class: 'axis',
                                 x1: margin.left,
                                 x2: this.width - margin.right,
                                 y1: this.y(value),
                                 y2: this.y(value)
                               }),
                               draw(
                                   'text', {
                                     class: 'axis-text',
                                     x: margin.left - 6,
                                     y: this.y(value) + 4,
                                     'text-anchor': 'end'
                                   },
                                   brief(value))));
    const along = ticks(left, right, this.width / 110)
                      .map(
                          (value) => draw(
                              'text', {
                                class: 'axis-text',
                                x: this.x(value),
                                y: this.height - 8,
                                'text-anchor': 'middle'
                              },
                              brief(value)));
    this.cursor = draw(
        'line',
        {class: 'cursor', y1: margin.top, y2: this.height - margin.bottom, visibility: 'hidden'});
    this.svg.replaceChildren(
        ...across, ...along,
        draw(
            'text', {
              class: 'axis-text',
              x: this.width - margin.right,
              y: this.height - 8,
              'text-anchor': 'end'
            },
            along.length ? '' : xName),
        ...series.filter((each) => each.points.length)
            .map(
                (each) => draw(
                    'path',
                    {class: `curve curve-${series.indexOf(each) % 6}`, d: line(each.points)})),
        ...series.filter((each) => each.points.length === 1).map((each) => draw('circle', {
                                                                   class: 'curve-dot',
                                                                   cx: this.x(each.points[0][0]),
                                                                   cy: this.y(each.points[0][1]),
                                                                   r: 3
                                                                 })),
        this.cursor);
  }

  /** The values nearest to a place under the pointer. */
  point(clientX) {
    if (!this.data || !this.x) return;
    const at = clientX - this.svg.getBoundingClientRect().left;
    const texts = [];
    let shown = null;
    for (const {name, points} of this.data.series) {
      if (points.length === 0) continue;
      const nearest = points.reduce(
          (best, point) =>
              Math.abs(this.x(point[0]) - at) < Math.abs(this.x(best[0]) - at) ? point : best);
      shown = shown ?? nearest[0];
      texts.push(`${name} ${brief(nearest[1])}`);
    }
    if (shown === null) return;
    this.cursor.setAttribute('x1', this.x(shown));
    this.cursor.setAttribute('x2', this.x(shown));
    this.cursor.setAttribute('visibility', 'visible');
    this.readout.textContent =
        `${this.data.xName || 'at'} ${brief(shown)}:  ${texts.join('  ·  ')}`;
  }
}
