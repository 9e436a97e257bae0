// What the model could have generated instead of one word, in a panel by that word: other words, if
// a server can be asked, and the likeliest tokens at the steps that made it.

import {chanceOf} from './alignment_panel.js';
import {make} from './dom.js';
import {icon} from './icons.js';
import {WordChoices} from './word_choices.js';
import {finePercent, percent} from './wording.js';

/** The likeliest tokens at one step, the chosen one marked. */
function step(token) {
  const chosen = Math.exp(token.logprob);
  const top = token.top || [];
  // The chosen token may stand below the best ones: beam search looks further than one step.
  const listed = top.some((each) => each.id === token.id) ?
      top :
      [...top, {text: token.text, id: token.id, p: chosen}];
  const row = (each) => make(
      'li', {class: each.id === token.id ? 'chosen' : ''},
      make('span', {class: 'option-text', dir: 'auto'}, each.text),
      make(
          'span', {class: 'option-bar', 'aria-hidden': 'true'},
          make('span', {style: {width: `${Math.max(0.5, each.p * 100)}%`}})),
      make('span', {class: 'option-number'}, finePercent(each.p)),
      each.id === token.id ? make('span', {class: 'unseen'}, 'chosen') : null);
  return make(
      'div', {class: 'step'}, make('h4', {dir: 'auto'}, token.text),
      make('ol', {}, ...listed.map(row)));
}

const gap = 8;  // pixels between the word and the panel

export class WordPanel {
  /** holder: what the panel stands in, which is positioned. */
  constructor(app, {holder, lights, signal}) {
    Object.assign(this, {app, holder, lights, element: null});
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.element) return;
      event.preventDefault();
      this.close(true);
    }, {signal});
    addEventListener('pointerdown', (event) => {
      if (this.element && !this.element.contains(event.target) &&
          !this.anchor.contains(event.target))
        this.close();
    }, {signal});
    addEventListener('resize', () => this.element && this.place(), {signal});
  }

  /** index: of the word, or null where a token stands alone; a second click closes. */
  open({index, word, tokens, anchor}) {
    const same = this.element && this.anchor === anchor;
    this.close();
    if (same) return;
    Object.assign(this, {anchor, index});
    const asked = index !== null && this.app.source.live;
    const words = this.words = asked ?
        new WordChoices(this.app, this.app.trace.data.target.words, index, {
          ready: (row) => this.ready(row),
          keep: () => this.close(true),
        }) :
        null;
    const steps = make('div', {class: 'steps'}, ...tokens.map(step));
    const close = () => this.close(true);
    this.element = make(
        'div', {class: 'alternatives', role: 'dialog', 'aria-label': `Alternatives to ${word}`},
        make(
            'div', {class: 'alternatives-head'},
            make(
                'h2', {}, 'Instead of ', make('q', {dir: 'auto'}, word),
                make('span', {class: 'hint'}, ` ${percent(chanceOf(tokens))}`)),
            ...(asked ? ['↑', '↓', '↵'].map((key) => make('kbd', {'aria-hidden': 'true'}, key)) :
                        []),
            make(
                'button',
                {type: 'button', class: 'icon', 'aria-label': 'Close', on: {click: close}},
                icon('clear'))),
        words?.element,
        words ? make('details', {}, make('summary', {}, 'Token by token'), steps) : steps);
    this.holder.append(this.element);
    anchor.classList.add('open');
    if (index !== null) this.lights.hold(1, index);
    this.place();
    if (!asked) this.element.querySelector('button').focus({preventScroll: true});
  }

  /** Under the word, within the view. */
  place() {
    const [word, frame] = [this.anchor, this.holder].map((each) => each.getBoundingClientRect());
    const most = frame.width - this.element.offsetWidth;
    const {style} = this.element;
    style.setProperty('left', `${Math.max(0, Math.min(most, word.left - frame.left - 16))}px`);
    style.setProperty('top', `${word.bottom - frame.top + gap}px`);
    this.element.scrollIntoView({block: 'nearest'});
  }

  /** A reader who waits at the word goes on in the list. */
  ready(row) {
    if (!this.element) return;
    this.place();
    const {activeElement} = document;
    if (activeElement === this.anchor || activeElement === document.body)
      row?.focus({preventScroll: true});
  }

  close(back = false) {
    if (!this.element) return;
    this.words?.turn.end();
    this.element.remove();
    this.element = null;
    this.anchor.classList.remove('open');
    this.lights.hold();
    if (back) this.anchor.focus();
  }
}
