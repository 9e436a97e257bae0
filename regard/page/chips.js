// Under the panes: sentences to try, and the settings of the search, folded.

import {choice, labelled, make} from './dom.js';
import {icon} from './icons.js';
import {shortened} from './shortening.js';

const beams = [1, 2, 3, 4, 5, 6, 8, 12, 16];
const longestChip = 64;  // letters
const most = 2;

/** Sentences that this model can do; tried(text) is called with the one chosen. */
export class Chips {
  constructor(app, tried) {
    Object.assign(this, {app, tried});
    this.element = make('div', {class: 'chips', role: 'group', 'aria-label': 'Sentences to try'});
  }

  update(current) {
    const {example, examples} = this.app.model || {};
    const all = [example, ...(Array.isArray(examples) ? examples : [])];
    const texts = [...new Set(all)].filter((text) => typeof text === 'string' && text.trim());
    const together = texts.slice(-3).join(' ');
    const others = texts.filter((text) => text !== current).slice(0, most).map((text) => [text, text]);
    if (texts.length > 3 && together !== current)
      others.push([together, 'Three sentences at once']);
    const shown = this.app.source.live ? others : [];
    const chip = ([text, name]) => make(
        'button',
        {type: 'button', class: 'chip', dir: 'auto', title: text, on: {click: () => this.tried(text)}},
        shortened(name, longestChip));
    this.element.replaceChildren(
        ...(shown.length ? [make('span', {class: 'chips-name'}, 'Try')] : []), ...shown.map(chip));
  }
}

/** Beam and length penalty; `text()` is the change of state that sends what stands in the pane. */
export class SearchSettings {
  constructor(app, text) {
    this.app = app;
    const sizes = beams.filter((size) => size <= (app.limits.beam || 8));
    this.beam = choice(
        [...new Set([...sizes, app.beam()])].sort((a, b) => a - b).map((size) => [size, size]),
        app.beam(), (size) => app.set({beam: Number(size), ...text()}));
    this.penalty = make('input', {
      type: 'number',
      min: '0',
      max: '3',
      step: '0.05',
      required: true,
      on: {
        change: () => {
          if (this.penalty.reportValidity())
            app.set({penalty: Number(this.penalty.value), ...text()});
        }
      },
    });
    this.element = make(
        'details', {class: 'search-settings', hidden: !app.source.live},
        make('summary', {}, icon('tune'), 'Search settings'),
        make(
            'div', {class: 'controls'}, labelled('Beam', this.beam),
            labelled('Length penalty', this.penalty),
            make(
                'span', {class: 'hint'},
                'A wider beam keeps more candidates in view; a larger penalty favours long ones.')));
  }

  update() {
    const {app, beam, penalty} = this;
    if (![...beam.options].some((option) => Number(option.value) === app.beam()))
      beam.append(make('option', {value: String(app.beam())}, String(app.beam())));
    beam.value = String(app.beam());
    if (Number(penalty.value) !== app.state.penalty || penalty.value === '')
      penalty.value = String(app.state.penalty);
  }
}
