// Which word comes from which: ribbons between source and output, the probability of each output
// word, and, folded, where the weights come from.

import {choice, labelled, make, put, slider} from './dom.js';
import {Figure} from './figure.js';
import {mergeTick} from './head_picker.js';
import {RibbonRows} from './ribbon_rows.js';
import {theme} from './theme.js';
import {headName, percent, quoted, unsure} from './wording.js';

const shownBy = ['trace', 'align', 'merge'];

/** How likely a word is: all of its tokens. */
export const chanceOf = (tokens) =>
    tokens.reduce((product, token) => product * Math.exp(token.logprob), 1);

export class AlignmentPanel {
  /** picked(index, word): an output word was clicked; lights: told of the word pointed at. */
  constructor(app, {picked, lights}) {
    this.app = app;
    this.lights = lights;
    this.figure = new Figure({
      title: 'How the words correspond',
      name: 'alignment',
      data: () => this.data(),
      json: () => app.trace.data,
    });
    this.element = this.figure.element;
    this.element.classList.add('alignment');
    this.ribbons = new RibbonRows({
      picked,
      pointed: (side, index) => this.byWord() && lights.point(side, index),
      extra: (index) => this.certainty(index),
      calm: app.calm,
    });
    lights.listen((side, index) => this.byWord() && this.ribbons.light(side, index));
    this.figure.body.append(this.ribbons.element);
    this.figure.note.remove();
    this.figure.body.before(this.figure.summary);
    this.moses = make('code', {class: 'moses'});
    this.chosen = make('div', {class: 'controls'});
    this.figure.foot.append(
        make('details', {class: 'align-options'}, make('summary', {}, 'Options'), this.chosen));
  }

  /** Whether ribbons join whole words, as the panes show them. */
  byWord() { return this.links && (this.app.state.merge || !this.app.trace.hasSubwords()); }

  update(changed) {
    const {app, figure, lights} = this;
    const byHead = app.state.align === 'head' &&
        ['kind', 'layer', 'head', 'exact'].some((name) => changed.has(name));
    if (changed.has('least') && this.links && !changed.has('trace'))
      this.ribbons.thin(app.state.least);
    if (changed.has('least')) this.summarise();
    if (!byHead && !shownBy.some((name) => changed.has(name))) return;
    this.links = app.trace.alignment(this.source(), app.entry(), app.state.merge);
    this.drawControls();
    this.ribbons.show({
      upper: this.links.sources,
      lower: this.links.targets,
      weights: this.links.weights,
      least: app.state.least,
      names: ['Source words', 'Output words'],
    });
    lights.follow(
        this.byWord() ? this.links : app.trace.alignment(this.source(), app.entry(), true));
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
      ['head', 'the chosen head']
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
    return `from ${place}${shift ? ', weights of the next token’s row' : ''}`;
  }

  drawControls() {
    const {app} = this;
    const number = make('span', {class: 'number'}, percent(app.state.least));
    put(this.chosen,
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

  /** Under each output word: a line as long as it is likely; the number where it is unsure. */
  certainty(index) {
    const chance = chanceOf(this.tokensOf(index));
    const low = chance < unsure;
    const bar = make('span', {class: 'certainty-bar', style: {width: `${chance * 100}%`}});
    return {
      children: [
        make('span', {class: `certainty${low ? ' low' : ''}`, 'aria-hidden': 'true'}, bar),
        ...(low ? [make('span', {class: 'certainty-number', dir: 'ltr'}, percent(chance))] : []),
      ],
      width: low ? 32 : 18,
    };
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
    this.figure.summary.textContent = `Thicker and ${
        theme() === 'dark' ? 'brighter' :
                             'darker'}: more weight. The line under a word: its probability.`;
    this.figure.body.setAttribute('aria-label', sentence.join(', '));
    this.figure.body.setAttribute('role', 'group');
  }

  data() {
    const {sources, targets, weights} = this.links;
    return {
      columns: ['output word', 'probability', ...sources],
      rows: targets.map((word, i) => [word, chanceOf(this.tokensOf(i)), ...weights.row(i)]),
    };
  }
}
