// Each pair of dimensions as a clock: its hand stands where sine and cosine of the place stand,
// with a trail of the places so far.

import {draw, drawnToWidth, make} from './dom.js';
import {count, short} from './wording.js';

const radius = 22;
const room = (width) => width < 420 ? 48 : 66;  // pixels that a clock and its numbers take
const mostClocks = 16;
const trailSteps = 4;  // shades, from the oldest places to the newest

/** How many places a full turn takes, in few characters. */
function turnText(speed) {
  const places = 2 * Math.PI / speed;
  return places < 10 ? places.toFixed(1) :
      places < 1e4   ? short(Math.round(places)) :
                       `${Math.round(places / 1000)} k`;
}

/** The same in full, for a sentence. */
export const turnCount = (speed) =>
    speed > 1e-3 ? turnText(speed) : count(Number((2 * Math.PI / speed).toPrecision(2)));

/** Pairs to show: the first and the last, closer together where hands are quick. */
export function somePairs(pairs, wanted) {
  const shown = Math.max(1, Math.min(wanted, pairs, mostClocks));
  const place = (i) => shown > 1 ? Math.round((pairs - 1) * (i / (shown - 1)) ** 1.35) : 0;
  return [...new Set(Array.from({length: shown}, (_, i) => place(i)))];
}

/** Where a hand of some length ends: it starts at twelve and turns clockwise. */
export const handEnd = (angle, length) => [Math.sin(angle) * length, -Math.cos(angle) * length];

const point = (angle, length) => handEnd(angle, length).map((part) => part.toFixed(2)).join(' ');

class Clock {
  constructor() {
    this.trail =
        Array.from({length: trailSteps}, (_, i) => draw('path', {class: `clock-trail trail-${i}`}));
    this.hand = draw('path', {class: 'clock-hand', d: `M0 0V${4 - radius}`});
    this.turn = make('span', {class: 'clock-turn'});
    this.pair = make('span', {class: 'clock-pair'});
    this.element = make(
        'div', {class: 'clock'},
        draw(
            'svg', {viewBox: '-26 -26 52 52', 'aria-hidden': 'true'},
            draw('circle', {class: 'clock-face', r: radius + 2}), ...this.trail, this.hand,
            draw('circle', {class: 'clock-pin', r: 2.4})),
        this.turn, this.pair);
  }

  /** speed: angle from place to place; place: where the hand stands, counted from `first`. */
  show({pair, speed, place, first, chosen}) {
    this.element.classList.toggle('chosen', chosen);
    this.turn.textContent = turnText(speed);
    this.pair.textContent = String(pair + 1);
    this.hand.style.setProperty(
        'transform', `rotate(${(place * speed * 180 / Math.PI).toFixed(3)}deg)`);
    const places = Array.from({length: place - first}, (_, i) => first + i);
    this.trail.forEach((path, step) => {
      const part = places.slice(
          Math.floor(places.length * step / trailSteps),
          Math.floor(places.length * (step + 1) / trailSteps));
      // A line of no length with round ends is a dot.
      path.setAttribute('d', part.map((each) => `M${point(each * speed, radius - 2)}h0`).join(''));
    });
  }
}

export class Clocks {
  constructor() {
    this.clocks = [];
    this.row = make('div', {class: 'clock-row'});
    this.unit = make('span', {class: 'clock-turn'});
    this.element = make(
        'div', {class: 'clocks'},
        make(
            'div', {class: 'clock-names', 'aria-hidden': 'true'},
            make('span', {class: 'clock-name'}, 'hands'), this.unit,
            make('span', {class: 'clock-pair'}, 'pair')),
        this.row);
    this.redraw = drawnToWidth(this.row, () => this.data && this.layout());
  }

  /**
   * data: {speeds, place, first, pair: the one that is chosen, or -1, unit: 'words' or 'tokens'}
   */
  show(data) {
    this.data = data;
    this.unit.textContent = `period in ${data.unit}`;
    this.redraw();
  }

  layout() {
    const {speeds, place, first, pair} = this.data;
    const pairs = somePairs(
        speeds.length, Math.max(4, Math.floor(this.row.clientWidth / room(this.row.clientWidth))));
    if (this.clocks.length !== pairs.length) {
      this.clocks = pairs.map(() => new Clock());
      this.row.replaceChildren(...this.clocks.map((clock) => clock.element));
    }
    this.clocks.forEach((clock, i) => clock.show({
      pair: pairs[i],
      speed: speeds[pairs[i]],
      place,
      first,
      chosen: pairs[i] === pair,
    }));
  }
}
