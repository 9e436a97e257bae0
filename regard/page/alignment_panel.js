// Which word comes from which: ribbons between source and target, the certainty of each target
// word, and what the model could have generated instead.

import {alternatives} from './alternatives.js';
import {choice, labelled, make, put, slider} from './dom.js';
import {Figure} from './figure.js';
import {mergeTick} from './head_picker.js';
import {Ribbons} from './ribbons.js';
import {WordChoices} from './word_choices.js';
import {headName, percent, quoted} from './wording.js';

const shownBy = ['trace', 'align', 'merge'];

export class AlignmentPanel {
  constructor(app) {
    this.app = app;
    this.figure = new Figure(
        {title: 'Words', name: 'alignment', data: () => this.data(), json: () => app.trace.data});
    this.element = this.figure.element;
    this.element.classList.add('alignment');
    this.ribbons = new Ribbons({
      picked: (index) => this.pick(index),
      extra: (index) => this.certainty(index),
    });
    this.figure.body.append(this.ribbons.element);
    this.panel = make('div', {});
    this.figure.note.replaceWith(this.panel);
    this.moses = make('code', {class: 'moses'});
  }

  update(changed) {
    const {app, figure} = this;
    const byHead = app.state.align === 'head' &&
        ['kind', 'layer', 'head', 'exact'].some((name) => changed.has(name));
    if (changed.has('least') && this.links && !changed.has('trace'))
      this.ribbons.thin(app.state.least);
    if (changed.has('least')) this.summarise();
    if (!byHead && !shownBy.some((name) => changed.has(name))) return;
    this.links = app.trace.alignment(this.source(), app.entry(), app.state.merge);
    this.drawControls();
    this.panel.replaceChildren();
    this.ribbons.show({
      upper: this.links.sources,
      lower: this.links.targets,
      weights: this.links.weights,
      least: app.state.least,
      names: ['Source words', 'Target words'],
    });
    figure.side.textContent = this.origin();
    this.summarise();
    figure.refresh();
  }

  /** Where alignments may come from. */
  sources() {
    const layers = [...new Set(this.app.trace.of('cross').map((entry) => entry.layer))];
    return [
      ['model', 'default head'],
      ...layers.map((layer) => [`mean.${layer}`, `mean of layer ${layer + 1}`]),
      ['head', 'the head below']
    ];
  }

  source() {
    const {align} = this.app.state;
    return this.sources().some(([each]) => each === align) ? align : 'model';
  }

  origin() {
    const align = this.source();
    const {layer, head, shift} = this.app.trace.data.alignment || {};
    if (this.links.none && align === 'head') return 'choose a cross-attention head';
    if (align === 'head') return `from ${headName(this.app.entry()).toLowerCase()}`;
    if (align.startsWith('mean.')) return `from the mean of layer ${Number(align.slice(5)) + 1}`;
    const place = head >= 0 ? `layer ${layer + 1}, head ${head + 1}` :
        layer >= 0 ? `the mean of layer ${layer + 1}` :
        this.app.trace.of('cross').length === 1 ? 'the only head' :
                                                  'all heads';
    return `from ${place}${shift ? ', one step later' : ''}`;
  }

  drawControls() {
    const {app} = this;
    const number = make('span', {class: 'number'}, percent(app.state.least));
    put(this.figure.controls,
        labelled(
            'Alignment from', choice(this.sources(), this.source(), (align) => app.set({align}))),
        labelled(
            'Minimum weight',
            make(
                'span', {class: 'pair'}, slider({
                  low: 0.02,
                  high: 0.9,
                  step: 0.01,
                  value: app.state.least,
                  label: 'Minimum weight of a link',
                  change: (least) => {
                    number.textContent = percent(least);
                    app.set({least});
                  },
                }),
                number)),
        mergeTick(app),
        this.links.none ? null :
                          make(
                              'span', {class: 'field'},
                              make('span', {class: 'field-name'}, 'Moses'), this.moses));
    this.moses.textContent = this.mosesText();
  }

  /** "0-0 1-2": source word, target word, as other tools read it. */
  mosesText() {
    const {app, links} = this;
    if (this.source() === 'model' && app.state.merge && app.trace.data.alignment)
      return app.trace.data.alignment.moses;
    return links.targets.map((_, target) => [links.weights.peak(target), target])
        .filter(([source, target]) => links.weights.at(target, source) > 0)
        .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        .map((pair) => pair.join('-'))
        .join(' ');
  }

  tokensOf(index) {
    const {tokens} = this.app.trace.data.target;
    return this.links.targetGroups[index].map((i) => tokens[i]);
  }

  /**
   * Under each target word: one bar for each of its tokens, as long as it is likely, and the
   * number.
   */
  certainty(index) {
    const tokens = this.tokensOf(index);
    const whole = tokens.reduce((product, token) => product * Math.exp(token.logprob), 1);
    return [
      make(
          'span', {class: 'certainty', 'aria-hidden': 'true'},
          ...tokens.map(
              (token) => make(
                  'span',
                  {class: 'certainty-track', style: {'flex-grow': String(token.text.length || 1)}},
                  make('span', {
                    class: 'certainty-bar',
                    style: {width: `${Math.exp(token.logprob) * 100}%`}
                  })))),
      make('span', {class: 'certainty-number', dir: 'ltr'}, percent(whole)),
    ];
  }

  pick(index) {
    const close = () => {
      this.panel.replaceChildren();
      this.ribbons.words[1][index].focus();
    };
    this.panel.replaceChildren(
        alternatives(this.tokensOf(index), this.links.targets[index], this.choices(index), close));
  }

  /** Other words at that place; null where no server can be asked, or tokens are shown. */
  choices(index) {
    const {app} = this;
    if (!app.source.live || !app.state.merge) return null;
    return new WordChoices(app, app.trace.data.target.words, index).element;
  }

  summarise() {
    if (!this.links) return;
    const {sources, targets, weights} = this.links;
    const sentence = targets.map((word, i) => {
      const best = sources.length ? weights.peak(i) : -1;
      return best >= 0 && weights.at(i, best) >= this.app.state.least ?
          `${quoted(word)} from ${quoted(sources[best])}, ${percent(weights.at(i, best))}` :
          `${quoted(word)} from nothing certain`;
    });
    this.figure.summary.textContent =
        'Point at a word to see its partners; click a translated one for alternatives. ' +
        'The number by it, and the bar: its probability.';
    this.figure.body.setAttribute('aria-label', sentence.join(', '));
    this.figure.body.setAttribute('role', 'group');
  }

  data() {
    const {sources, targets, weights} = this.links;
    const chance = (i) =>
        this.tokensOf(i).reduce((product, token) => product * Math.exp(token.logprob), 1);
    return {
      columns: ['target word', 'probability', ...sources],
      rows: targets.map((word, i) => [word, chance(i), ...weights.row(i)]),
    };
  }
}
