// The buttons that replay something step by step: back, play, next, a slider, and a way out.

import {make, slider} from './dom.js';
import {icon} from './icons.js';

const pace = 800;  // milliseconds a step

/**
 * go(step): shows a step, from 0; -1: all. calm: nothing moves by itself. Space plays and pauses,
 * arrows step.
 */
export class Replay {
  constructor({go, calm}) {
    this.go = go;
    this.calm = calm;
    this.timer = 0;
    this.step = -1;
    this.count = 0;
    const button = (name, text, click) => make(
        'button', {type: 'button', class: 'icon', 'aria-label': text, title: text, on: {click}},
        icon(name));
    this.start = make(
        'button', {type: 'button', class: 'replay-start', on: {click: () => this.begin()}},
        icon('play'), calm ? 'Step through the search' : 'Watch it search');
    this.back = button('back', 'One step back', () => this.move(-1));
    this.play = button('play', 'Play', () => this.toggle());
    this.next = button('forward', 'One step on', () => this.move(1));
    this.range =
        slider({low: 1, high: 1, value: 1, label: 'Step', change: (step) => this.jump(step - 1)});
    this.place = make('span', {class: 'replay-place'});
    this.bar = make(
        'div', {
          class: 'replay',
          role: 'group',
          'aria-label': 'Replay of the search',
          hidden: true,
          on: {keydown: (event) => this.key(event)},
        },
        this.back, calm ? null : this.play, this.next, this.range, this.place,
        make(
            'button', {type: 'button', class: 'plain', on: {click: () => this.leave()}},
            'Show the result'));
    this.element = make('div', {class: 'replay-box'}, this.start, this.bar);
  }

  /** To be called when the step, or how many there are, has changed. */
  show(step, count) {
    Object.assign(this, {step, count});
    const open = step >= 0;
    const hadFocus = this.element.contains(document.activeElement);
    this.bar.hidden = !open;
    this.start.hidden = open;
    if (!open) {
      this.pause();
      if (hadFocus) this.start.focus();
      return;
    }
    this.range.max = String(count);
    this.range.value = String(step + 1);
    this.place.textContent = `Step ${step + 1} of ${count}`;
    this.back.disabled = step === 0;
    this.next.disabled = step >= count - 1;
    if (hadFocus && !this.bar.contains(document.activeElement)) this.range.focus();
  }

  begin() {
    this.go(0);
    this.range.focus();
    if (!this.calm) this.toggle();
  }

  leave() { this.go(-1); }

  jump(step) {
    this.pause();
    this.go(step);
  }

  move(by) {
    const step = Math.min(this.count - 1, Math.max(0, this.step + by));
    const from = document.activeElement;
    this.jump(step);
    if (from?.disabled) this.range.focus();
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.step >= this.count - 1) this.go(0);
    this.timer = setInterval(
        () => this.step >= this.count - 1 ? this.pause() : this.go(this.step + 1), pace);
    this.named('pause', 'Pause');
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.named('play', 'Play');
  }

  named(shape, text) {
    this.play.replaceChildren(icon(shape));
    this.play.setAttribute('aria-label', text);
    this.play.title = text;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const slides = event.target === this.range;
    if (event.key === ' ' && slides && !this.calm)
      this.toggle();
    else if (event.key === 'Escape')
      this.leave();
    else if (event.key === 'ArrowRight' && !slides)
      this.move(1);
    else if (event.key === 'ArrowLeft' && !slides)
      this.move(-1);
    else
      return;
    event.preventDefault();
  }
}
