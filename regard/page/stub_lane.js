// The ends of ribbons whose partners stand in another row, with their names: in a lane beyond the
// words, where no ribbon runs.

import {draw, textWidth} from './dom.js';

const height = 28;  // of the lane
const length = 10;  // of a stub
const baselines = [12, 24];

export class StubLane {
  /** side: 0 above the words of the first side, 1 below those of the second. */
  constructor(side) {
    this.side = side;
    const place = side === 0 ? 'above' : 'below';
    this.svg = draw('svg', {class: `stub-lane ${place}`, 'aria-hidden': 'true', height});
    this.taken = [];
  }

  /**
   * A stub at a place and the name of its partner; look: its attributes, title(): what it says.
   * Null where another's name stands.
   */
  add({at, name, width, font, look, title}) {
    const half = textWidth(name, font) / 2 + 3;
    const x = Math.min(width - half, Math.max(half, at));
    if (this.taken.some((each) => Math.abs(each.x - x) < each.half + half)) return null;
    this.taken.push({x, half});
    const from = this.side === 0 ? height - length : 0;
    const shapes = [
      draw('path', {...look, d: `M${at} ${from}V${from + length}`, class: 'ribbon stub'}, title()),
      draw('text', {class: 'stub-name', x, y: baselines[this.side]}, name),
    ];
    this.svg.append(...shapes);
    return shapes;
  }

  /** Takes no room where nothing is in it. */
  close(width) {
    if (this.taken.length === 0) return this.svg.remove();
    this.svg.setAttribute('viewBox', `0 0 ${width || 1} ${height}`);
  }
}
