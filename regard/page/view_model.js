// What the model is made of, as a diagram; a chosen block opens beside it.

import {matrices, meaning, shapes} from './block_details.js';
import {chosenToken} from './chosen_word.js';
import {diagram} from './diagram.js';
import {drawnToWidth, make, put, say} from './dom.js';
import {Figure} from './figure.js';
import {headsOf, partsOf, recurrent} from './model_parts.js';
import {readsPictures, shows} from './model_views.js';
import {headsEach} from './own_settings.js';
import {giveUpWeights, showWeights} from './weight_pictures.js';
import {count, short} from './wording.js';

// Settings of one kind of attention, which count where they are set.
const own = /^(encoder|decoder|cross)_(attention|heads|norm|window)$/;
const shape = (weight) => weight.shape.join(' × ');
const words = ({source, target}) =>
    ({encoder: source.words.join(' '), decoder: target.words.join(' ')});

function numbers(model) {
  const {spec = {}} = model;
  const one = (value, name) => make('div', {}, make('dd', {}, value), make('dt', {}, name));
  return [
    one(short(model.parameters), 'parameters'),
    one(`${spec.encoder_layers ?? '–'} + ${spec.decoder_layers ?? '–'}`, 'layers'),
    recurrent(model) ? one(count(spec.d_hidden ?? 0), 'state') :
                       one(headsEach(spec), 'heads each'),
    one(count(spec.d_model ?? 0), 'width')
  ];
}

/** The lines of the diagram in words. */
function legend(model) {
  const line = (look, text) => make('li', {}, make('span', {class: `key-line ${look}`}), text);
  return make(
      'ul', {class: 'diagram-key'},
      ...(recurrent(model) ?
              [
                line('residual', 'the token goes round the attention'),
                line('read', 'what the encoder read, at every step'),
                line('state', 'the state goes on to the next token'),
              ] :
              [
                line('residual', 'residual way: the row passes unchanged, the block adds to it'),
                line('read', 'what the encoder read, to every cross-attention'),
              ]));
}

class ModelView {
  constructor(app) {
    this.app = app;
    this.figure = new Figure({
      title: 'Blocks',
      name: 'model',
      data: () => ({
        columns: ['weight', 'shape', 'count'],
        rows:
            (app.model?.weights || []).map((weight) => [weight.name, shape(weight), weight.count]),
      }),
      json: () => app.model,
    });
    this.board = make('div', {
      class: 'diagram-box',
      on: {click: (event) => this.pick(event.target), keydown: (event) => this.key(event)}
    });
    this.key_ = make('div');
    this.pictures = make('div', {class: 'weights', hidden: true});
    this.about = make('div', {class: 'block-about'});
    this.side = make(
        'aside', {class: 'block-side', 'aria-label': 'The chosen block'}, this.about,
        this.pictures);
    this.numbers = make('dl', {class: 'model-numbers'});
    this.lede = make('p', {class: 'lede'});
    this.facts = make('dl', {class: 'facts-list'});
    this.settings =
        make('details', {class: 'card settings'}, make('summary', {}, 'All settings'), this.facts);
    this.element = make(
        'div', {class: 'view model-view'},
        make(
            'div', {class: 'model-head'},
            make('div', {class: 'view-head'}, make('h1', {}, 'Model'), this.lede), this.numbers),
        make('div', {class: 'card'}, this.figure.element), this.settings);
    this.figure.body.append(make(
        'div', {class: 'model-body'}, make('div', {class: 'diagram-side'}, this.board, this.key_),
        this.side));
    this.redraw = drawnToWidth(this.board, () => this.draw());
  }

  /** The chosen block; one that this model does not have is its first attention. */
  block() {
    const {blocks} = this.parts;
    return blocks.get(this.app.state.block) || blocks.get('encoder.0.self') ||
        blocks.get('decoder.attention') || [...blocks.values()][0];
  }

  /** The layer of each side that is unfolded. */
  open() {
    const [encoder, decoder] = this.app.state.open.split('.').map(Number);
    const within = (layer, side) =>
        Math.max(0, Math.min(layer, this.parts[side].layers.length - 1));
    const {side, layer} = this.block();
    const open = {encoder: within(encoder, 'encoder'), decoder: within(decoder, 'decoder')};
    return layer >= 0 ? {...open, [side]: layer} : open;
  }

  pick(target) {
    const item = target.closest('[role=button]');
    if (!item) return;
    const {block, layer} = item.dataset;
    if (block) {
      this.app.set({block});
      this.focus(`[data-block="${block}"]`);
      if (this.side.getBoundingClientRect().top > innerHeight - 80)
        this.side.scrollIntoView({behavior: this.app.calm ? 'auto' : 'smooth', block: 'start'});
    } else {
      const [side, number] = layer.split('.');
      const open = {...this.open(), [side]: Number(number)}, chosen = this.block();
      const same = chosen.side === side && chosen.layer >= 0 ?
          {block: [side, number, chosen.part].join('.')} :
          {};
      this.app.set({open: `${open.encoder}.${open.decoder}`, ...same});
      this.focus(`[data-block^="${side}.${number}."]`);
      say(`${side} layer ${Number(number) + 1} is open`);
    }
  }

  focus(selector) {
    const item = this.board.querySelector(selector);
    if (!item) return;
    this.items().forEach((each) => each.setAttribute('tabindex', each === item ? '0' : '-1'));
    item.focus({preventScroll: true});
  }

  items() { return [...this.board.querySelectorAll('[role=button]')]; }

  /** Enter opens; arrows go to the nearest item that way. */
  key(event) {
    const item = event.target.closest?.('[role=button]');
    if (!item) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return this.pick(item);
    }
    const way = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [
                   1, 0
                 ]}[event.key];
    if (!way) return;
    event.preventDefault();
    const middle = (each) => {
      const {left, right, top, bottom} = each.getBoundingClientRect();
      return [(left + right) / 2, (top + bottom) / 2];
    };
    const [x, y] = middle(item);
    const distance = (each) => {
      const [dx, dy] = [middle(each)[0] - x, middle(each)[1] - y];
      const along = dx * way[0] + dy * way[1], off = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return along > 4 ? along + 3 * off : Infinity;
    };
    const next =
        this.items().reduce((best, each) => distance(each) < distance(best) ? each : best, item);
    if (next === item || distance(next) === Infinity) return;
    this.items().forEach((each) => each.setAttribute('tabindex', each === next ? '0' : '-1'));
    next.focus();
  }

  draw() {
    const {app} = this;
    if (!this.parts || this.board.clientWidth === 0) return;
    const token = app.trace?.data.target.tokens[chosenToken(app, 'target')];
    const {element} = diagram(app.model, this.parts, {
      room: this.board.clientWidth,
      open: this.open(),
      chosen: this.block().id,
      words: app.trace ? words(app.trace.data) : {encoder: '', decoder: ''},
      top: (token?.top || []).slice(0, 3),
    });
    const focused = this.board.contains(document.activeElement);
    this.board.replaceChildren(element);
    const items = this.items();
    const chosen = items.find((each) => each.getAttribute('aria-pressed') === 'true') || items[0];
    chosen?.setAttribute('tabindex', '0');
    if (focused) chosen?.focus({preventScroll: true});
  }

  drawBlock() {
    const {app} = this, {model, trace} = app, block = this.block();
    const S = trace ? trace.data.source.tokens.length : 0,
          T = trace ? trace.data.target.tokens.length : 0;
    const where = `${block.side[0].toUpperCase()}${block.side.slice(1)}${
        block.layer < 0 ? '' : `, layer ${block.layer + 1}`}.`;
    const list = matrices(block, model);
    const row = ([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value));
    put(this.about, make('h3', {}, block.name),
        make('p', {class: 'block-meaning'}, `${where} ${meaning(block, model)}`),
        make(
            'dl', {class: 'block-shapes'}, ...(trace ? shapes(block, model, {S, T}).map(row) : []),
            row([
              'parameters',
              block.shared && block.weights.length === 1 ? `shared, ${count(block.count)}` :
                                                           count(block.count)
            ]),
            block.around?.length ? row([
              'layer norm',
              `${count(block.around.reduce((sum, each) => sum + each.count, 0))} parameters`
            ]) :
                                   null),
        this.links(block));
    showWeights(app, list, this.pictures);
  }

  /** Where the block is seen at work. */
  links(block) {
    const {app} = this;
    const link = (target, text) => make(
        'a', {
          class: 'block-link',
          href: app.address(target),
          on: {
            click: (event) => {
              event.preventDefault();
              app.set(target);
            }
          },
        },
        text);
    if (block.kind && app.trace?.of(block.kind).length)
      return link(
          {view: 'heads', kind: block.kind, layer: Math.max(0, block.layer), head: 0},
          recurrent(app.model) || headsOf(app.model, block.kind).heads === 1 ?
              'See where its head looks' :
              'See where its heads look');
    if (block.part === 'embed' && !recurrent(app.model) && shows(app.model, 'positions'))
      return link({view: 'positions'}, 'See the positions');
    if (block.part === 'output' && app.trace)
      return link({view: 'beam'}, 'See how words are chosen');
    return null;
  }

  update(changed) {
    if (!['trace', 'model', 'view', 'block', 'open', 'side', 'row'].some(
            (name) => changed.has(name)))
      return;
    const {model} = this.app;
    this.settings.hidden = this.figure.body.hidden = !model?.weights;
    if (!model?.weights) {
      this.figure.summary.textContent = 'This file was saved without the model’s description.';
      this.figure.refresh(false);
      return;
    }
    this.parts = partsOf(model);
    const {source, target, kind} = model.vocabulary || {};
    this.lede.textContent = recurrent(model) ?
        'Choose a block to open it. Tokens pass one by one; the state carries what came before.' :
        'Choose a block to open it. The blue lines lead round each block: it only has to add what is new.';
    this.numbers.replaceChildren(...numbers(model));
    this.figure.title.textContent =
        `${model.name}, ${readsPictures(model) ? 'pictures' : model.fromName || model.from} to ${
            model.toName || model.to}`;
    this.figure.side.textContent =
        `${recurrent(model) ? 'recurrent, with attention' : 'Transformer'} · ${
            short(model.parameters)} parameters`;
    const vocabularies = readsPictures(model) ?
        `a vocabulary of ${count(target || 0)}` :
        `vocabularies of ${count(source || 0)} and ${count(target || 0)}`;
    this.figure.summary.textContent = `${count(model.parameters)} parameters in ${
        model.weights.length} weights; ${vocabularies} ${kind || 'tokens'}.`;
    this.key_.replaceChildren(legend(model));
    const useful = ([name, value]) =>
        !model.unused?.includes(name) && (Boolean(value) || !own.test(name));
    this.facts.replaceChildren(...Object.entries({...model.spec, hash: model.hash})
                                   .filter(useful)
                                   .map(
                                       ([name, value]) => make(
                                           'div', {}, make('dt', {}, name.replaceAll('_', ' ')),
                                           make('dd', {}, String(value)))));
    this.redraw();
    this.drawBlock();
    this.figure.refresh();
  }
}

export function modelView(app) {
  const view = new ModelView(app);
  return {
    element: view.element,
    update: (changed) => view.update(changed),
    stop: () => giveUpWeights(),
  };
}
