// What was drawn goes over into what is drawn now, where words of the two are the same.

import {placesInCommon} from './common_words.js';

const pace = {
  duration: 200,
  easing: 'ease-out'
};

/**
 * Ribbons and words of an earlier drawing: {upper, lower, boxes, paths}, paths by "upper.lower".
 */
export class Morph {
  constructor({upper, lower}, words, paths) {
    Object.assign(this, {upper, lower, paths});
    this.boxes = words[1].map((word) => word.getBoundingClientRect());
  }

  /** Moves the new ones from where the old ones stood; only the words below may be others. */
  into({upper, lower}, words, paths, shapes) {
    if (upper.join('\n') !== this.upper.join('\n') || lower.join('\n') === this.lower.join('\n'))
      return;
    const places = placesInCommon(this.lower, lower);
    words[1].forEach((word, j) => {
      const [old, now] = [this.boxes[places[j]], word.getBoundingClientRect()];
      if (!old) return word.animate({opacity: [0, 1]}, pace);
      const [x, y] = [old.left - now.left, old.top - now.top];
      if (x || y) word.animate({transform: [`translate(${x}px, ${y}px)`, 'none']}, pace);
    });
    for (const {shape, ends: [i, j]} of shapes) {
      const [old, now] = [this.paths.get(`${i}.${places[j]}`), paths.get(`${i}.${j}`)];
      shape.animate(
          old && now ? {d: [`path("${old}")`, `path("${now}")`]} : {opacity: [0, 1]}, pace);
    }
  }
}
