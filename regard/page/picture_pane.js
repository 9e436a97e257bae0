// The picture that a model is asked about: dropped, chosen or one of those it offers; shaded by where
// the model looked.

import {drawnToWidth, make} from './dom.js';
import {drawGrid, drawLook, squared, veiled} from './veil.js';
import {quoted, weight} from './wording.js';

const widest = 448;  // CSS pixels of the picture

export class PicturePane {
  /** take(file): a PNG file was chosen. */
  constructor(app, {take}) {
    this.app = app;
    this.canvas = make('canvas', {
      class: 'asked-picture',
      role: 'img',
      'aria-label': 'The picture',
      on: {pointermove: (event) => this.read(event), pointerleave: () => this.readNothing()},
    });
    this.input = make('input', {
      type: 'file',
      accept: 'image/png',
      class: 'unseen',
      tabindex: '-1',
      'aria-label': 'A PNG file',
      on: {
        change: () => {
          const [file] = this.input.files;
          this.input.value = '';  // the same file may be chosen again
          if (file) take(file);
        }
      },
    });
    this.button = make(
        'button', {type: 'button', class: 'choose-picture', on: {click: () => this.input.click()}},
        'Choose a PNG');
    this.empty = make(
        'p', {class: 'picture-empty'},
        'Drop a PNG file here: the model says what it shows, word by word.');
    this.facts = make('p', {class: 'source-facts'});
    this.reading = make('p', {class: 'patch-reading'});
    this.frame = make('div', {class: 'picture-frame'}, this.canvas, this.empty);
    this.element = make(
        'div', {class: 'picture-pane'}, this.frame, this.reading,
        make('div', {class: 'pane-end'}, this.facts, this.button, this.input));
    this.look = null;
    this.redraw = drawnToWidth(this.frame, () => this.draw());
  }

  /** picture: {name, image}; image is null where the browser cannot show it. */
  show(picture) {
    this.picture = picture;
    this.clear = this.dim = null;
    this.look = null;
    this.canvas.hidden = !picture?.image;
    this.empty.hidden = Boolean(picture?.image);
    this.facts.classList.remove('beyond-hint');
    this.facts.textContent = picture?.image ?
        `${picture.name} · ${picture.image.width} × ${picture.image.height} pixels` :
        picture?.name || '';
    this.redraw();
  }

  complain(text) {
    this.facts.classList.add('beyond-hint');
    this.facts.textContent = text;
  }

  /** Shades the picture by a look: {word, weights, across}; null: all of it is clear. */
  shade(look) {
    this.look = look;
    this.readNothing();
    const clear = look ? `, clear where the model looked as it said ${quoted(look.word)}` : '';
    this.canvas.setAttribute('aria-label', `The picture${clear}`);
    this.draw();
  }

  draw() {
    const {canvas, picture, look} = this;
    const room = Math.floor(Math.min(widest, this.frame.clientWidth));
    if (!picture?.image || room <= 0) return;
    const side = Math.round(room * Math.min(2, devicePixelRatio || 1));
    canvas.style.width = canvas.style.height = `${room}px`;
    if (canvas.width !== side || canvas.height !== side) canvas.width = canvas.height = side;
    if (this.clear?.width !== side) {
      this.clear = squared(picture.image, side);
      this.dim = null;
    }
    if (!look) return canvas.getContext('2d').drawImage(this.clear, 0, 0);
    this.dim ||= veiled(this.clear);
    drawLook(canvas, {clear: this.clear, dim: this.dim, ...look});
    drawGrid(canvas, look.across);
  }

  /** Other colours: the veil is another one. */
  recolour() {
    this.dim = null;
    this.draw();
  }

  /** The weight of the patch under the pointer. */
  read(event) {
    const {look, canvas} = this;
    if (!look) return;
    const box = canvas.getBoundingClientRect();
    const place = (at, length) =>
        Math.min(look.across - 1, Math.max(0, Math.floor(at / length * look.across)));
    const row = place(event.clientY - box.top, box.height);
    const column = place(event.clientX - box.left, box.width);
    this.reading.textContent = `${quoted(look.word)} ← row ${row + 1}, column ${column + 1}  ${
        weight(look.weights[row * look.across + column])}`;
  }

  readNothing() { this.reading.textContent = ''; }
}
