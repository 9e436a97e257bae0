// The first screen of a model of pictures: a picture, what the model says of it, and where it looked
// as it said each word.

import {CaptionPane} from './caption_pane.js';
import {SearchSettings} from './chips.js';
import {make, say} from './dom.js';
import {pictureFiles, taker, takesFiles} from './dropped_file.js';
import {LookFigure, strongest} from './look_figure.js';
import {PicturePane} from './picture_pane.js';
import {Turn} from './turn.js';
import {percent, quoted} from './wording.js';

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** As the server reads it, without profiles of colour; null: the browser cannot. */
const decoded = (bytes) =>
    createImageBitmap(
        new Blob([bytes], {type: 'image/png'}), {colorSpaceConversion: 'none'}).catch(() => null);

/** What an answer depends on beside the picture. */
const wishOf = (app) =>
    ({model: app.model.name, beam: app.beam(), length_penalty: app.state.penalty});

class CaptionView {
  constructor(app) {
    this.app = app;
    this.over = new AbortController();
    this.asking = new Turn();
    this.pointed = -1;
    const words = {point: (index) => this.point(index), choose: (index) => this.choose(index)};
    const take = taker({
      files: pictureFiles,
      read: (name, bytes) => this.take({name, bytes}),
      refused: (reason) => this.complain(reason),
      signal: this.over.signal,
    });
    this.picture = new PicturePane(app, {take});
    this.caption = new CaptionPane(words);
    this.looks = new LookFigure(words);
    this.settings = new SearchSettings(app, () => ({}));
    this.tries = make('div', {class: 'chips', role: 'group', 'aria-label': 'Pictures to try'});
    this.card = make(
        'section', {class: 'card translator', 'aria-label': 'Caption'},
        make('div', {class: 'caption-panes'}, this.picture.element, this.caption.element));
    this.figure = make('div', {class: 'card', hidden: true}, this.looks.element);
    this.element = make(
        'div', {class: 'view caption-view'}, make('h1', {class: 'unseen'}, 'Caption'), this.card,
        make('div', {class: 'under-pair'}, this.tries, this.settings.element), this.figure);
    takesFiles(this.card, take);
  }

  /** What was looked at last, or the offered picture that the address names. */
  start() {
    const {app} = this;
    if (app.picture?.own)
      this.take(app.picture);
    else
      this.offer();
  }

  /** Takes the picture of the model's own that is chosen. */
  offer() {
    const {app} = this, pictures = app.model.pictures || [];
    const chosen = pictures[Math.min(app.state.picture, pictures.length - 1)];
    if (!chosen) return this.take(null);
    const {name, caption, image} = chosen;
    this.take({name, bytes: bytesOf(image), right: caption, own: false});
  }

  /** picture: {name, bytes}, and of an offered one the right caption; null: there is none. */
  async take(picture) {
    const {app} = this;
    const signal = this.asking.next();
    app.picture = picture && {own: true, ...picture};
    this.drawTries();
    if (!picture) {
      this.card.classList.remove('busy');  // what was asked is given up
      this.picture.show(null);
      return this.showAnswer(null);
    }
    app.picture.image ||= await decoded(picture.bytes);
    if (signal.aborted) return;
    this.picture.show(app.picture);
    await this.ask(signal);
  }

  async ask(signal) {
    const {app} = this, {picture} = app;
    this.card.classList.add('busy');
    try {
      const answer = await app.source.caption(picture.bytes, wishOf(app), signal);
      if (signal.aborted) return;
      app.accepted();
      this.showAnswer(answer);
      if (document.activeElement !== document.body) say(`Caption: ${answer.caption}`);
    } catch (error) {
      if (signal.aborted) return;
      this.showAnswer(null);
      if (error.status === 400 && !error.wantsKey)
        this.complain(error.message.replace('Invalid request: image: ', `${picture.name}: `));
      else
        app.refused(error);
    }
    this.card.classList.remove('busy');
  }

  complain(text) {
    this.picture.complain(text);
    say(text);
  }

  showAnswer(answer) {
    this.answer = answer;
    this.pointed = -1;
    this.caption.show(answer, this.app.picture?.right);
    this.looks.show(answer, this.app.picture?.image);
    this.figure.hidden = !answer?.words.length || !this.app.picture.image;
    this.mark();
  }

  /** The word that is chosen, by the address; -1: none. */
  chosen() {
    const {side, row} = this.app.state;
    return side === 'target' && row < (this.answer?.words.length || 0) ? row : -1;
  }

  choose(index) {
    const again = index === this.chosen();
    this.app.set(again ? {side: '', row: 0} : {side: 'target', row: index});
    if (again) return say('No word is chosen');
    const {text, weights} = this.answer.words[index];
    const {row, column, weight} = strongest(weights, this.answer.patches_across);
    say(`${quoted(text)} looked most at row ${row}, column ${column}: ${percent(weight)}`);
  }

  point(index) {
    this.pointed = index;
    this.mark();
  }

  mark() {
    const chosen = this.chosen(), shown = this.pointed >= 0 ? this.pointed : chosen;
    this.caption.mark(chosen, this.pointed);
    this.looks.mark(shown);
    const word = this.answer?.words[shown];
    this.picture.shade(
        word && {word: word.text, weights: word.weights, across: this.answer.patches_across});
  }

  /** The pictures that are offered; the one that is shown is marked. */
  drawTries() {
    const {app} = this, pictures = app.model.pictures || [];
    const chip = ({name, image}, i) => make(
        'button', {
          type: 'button',
          class: 'picture-chip',
          title: name,
          'aria-label': `Picture ${i + 1}: ${name}`,
          'aria-pressed': String(app.picture?.name === name && !app.picture.own),
          on: {
            click: () => {
              app.picture = null;
              if (app.state.picture === i) return this.offer();
              app.set({picture: i});
            }
          },
        },
        make('img', {src: `data:image/png;base64,${image}`, alt: '', width: 40, height: 40}));
    const focused = this.tries.contains(document.activeElement);
    this.tries.replaceChildren(
        ...(pictures.length ? [make('span', {class: 'chips-name'}, 'Try')] : []),
        ...pictures.map(chip));
    if (focused) this.tries.querySelector('[aria-pressed=true]')?.focus();
  }

  update(changed) {
    this.settings.update();
    if (changed.has('view')) {  // it was opened, or has other colours
      this.picture.recolour();
      this.looks.draw();
      this.mark();
    } else if (changed.has('picture') || changed.has('model')) {
      this.start();
    } else if (changed.has('beam') || changed.has('penalty')) {
      if (this.app.picture) this.ask(this.asking.next());
    } else {
      this.mark();
    }
  }

  stop() {
    this.over.abort();
    this.asking.end();
  }
}

export function captionView(app) {
  const view = new CaptionView(app);
  return {
    element: view.element,
    start: () => view.start(),
    update: (changed) => view.update(changed),
    stop: () => view.stop(),
  };
}
