// The search as a railway map, a replay of it step by step, and what it finished as a table.

import {BeamMap} from './beam_map.js';
import {hypothesisTable, scoreWords, tiny} from './beam_table.js';
import {BeamTree, path, words} from './beam_tree.js';
import {choosing, chosenToken} from './chosen_word.js';
import {choice, labelled, make, put, say, tick} from './dom.js';
import {Figure} from './figure.js';
import {Replay} from './replay.js';
import {SentenceStrip} from './sentence_strip.js';
import {count, fixed, several} from './wording.js';

const numbers =
    ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

export function beamView(app) {
  let tree = null;
  const strip = new SentenceStrip(app, {tinted: aligned});
  const lede = make('p', {class: 'lede'});
  const figure = new Figure({
    title: 'How the translations part',
    name: 'beam',
    data: () => nodeTable(),
    json: () => app.trace.data.beam,
  });
  const replay = new Replay({calm: app.calm, go: (step) => app.set({step})});
  const map = new BeamMap({
    pointed: (sentence, aloud) => {
      figure.note.textContent = sentence;
      if (aloud) say(sentence);
    },
    picked: (at) => app.set(choosing('target', at)),
  });
  figure.body.append(map.element);
  const explained = make('div', {class: 'score-words'});
  const list = make(
      'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Finished hypotheses'});
  const finished = make(
      'section', {class: 'card finished'},
      make('h2', {class: 'figure-title'}, 'Finished hypotheses'), explained, list);
  const element = make(
      'div', {class: 'view beam-view'},
      make('div', {class: 'view-head'}, make('h1', {}, 'Beam'), lede), strip.element,
      make('div', {class: 'card map-card'}, figure.element), finished);

  /** The source word of a word of the translation, as the ribbons of Translate join them. */
  function aligned({rowTokens}, at) {
    const {align, merge} = app.state;
    if (app.entry().kind !== 'cross') return -1;
    const {weights, targetGroups, none} = app.trace.alignment(align, app.entry(), merge);
    const row = targetGroups.findIndex((group) => group.includes(rowTokens[at][0]));
    return none || row < 0 || weights.columns === 0 ? -1 : weights.peak(row);
  }

  function nodeTable() {
    return {
      columns: ['step', 'token', 'follows', 'log-probability', 'score', 'state'],
      rows: tree.nodes.map(
          (node) =>
              [node.step + 1, node.text, node.from ? node.from.text : '', node.logprob, node.score,
               node.state]),
    };
  }

  const step = () =>
      app.state.step < 0 || app.trace.given ? -1 : Math.min(app.state.step, tree.steps.length - 1);

  const dropped = () => app.state.dropped && !app.trace.given;

  function stepSentence(now) {
    const nodes = tree.steps[now];
    const of = (state) => nodes.filter((node) => node.state === state).length;
    const ended = of('final');
    return `Step ${now + 1} of ${tree.steps.length}: ${
        several(nodes.length, 'continuation')} looked at, ${of('kept')} followed on${
        ended ? `, ${ended} ended` : ''}, ${of('pruned')} dropped.`;
  }

  function summary(now) {
    const whole = now < 0 ? 'the probability of the whole translation, its end included' :
                            'its probability so far';
    const [winner] = now < 0 ? tree.finals : tree.at(now);
    const ends = tiny(winner) && tree.width > 1 ?
        `The winner’s number is ${
            whole}. The others are compared with it: 1 : 2 is half as likely.` :
        `The number at the end of a line is ${whole}.`;
    if (!dropped()) return ends;
    return `${ends} Thin lines were dropped${
        now < 0 ? '' : ' at this step'}; the likeliest of each place are named${
        now < 0 ? ', “…” marks one that was followed further' : ''}.`;
  }

  function drawControls() {
    const most = app.limits.beam || 8;
    const sizes =
        [...new Set([1, 2, 4, 8, app.beam()])].filter((size) => size <= most).sort((a, b) => a - b);
    put(figure.controls, tree.width > 1 ? replay.element : null,
        tree.width > 1 ?
            tick('Show what was dropped', app.state.dropped, (dropped) => app.set({dropped})) :
            null,
        app.source.live && !app.trace.given ?
            labelled(
                'Beam size',
                choice(
                    sizes.map((size) => [size, String(size)]), app.beam(),
                    (beam) => app.set({beam: Number(beam), step: -1}), 'Beam size')) :
            null);
  }

  function drawWords() {
    const {width} = tree;
    const {given} = app.trace;
    finished.hidden = given;
    figure.side.textContent = given ?
        `${several(tree.nodes.length, 'token')}, the end included` :
        `${count(tree.nodes.length)} continuations looked at, ${count(tree.pruned)} dropped`;
    figure.title.textContent = given ? 'The translation that was given' :
        width > 1                    ? 'How the translations part' :
                                       'One line';
    lede.textContent = given ?
        'Given, not searched: the model was told this translation and says how probable it finds it. Under each word: its probability at that place.' :
        width > 1 ?
        `${
            numbers[width] ||
            width} translations were followed at a time. The winner runs on top; another line leaves after the last word they share. Under each word: its probability at that place.` :
        'Greedy search (beam size 1) takes the likeliest token each time and follows one translation, so there are no branches. A larger beam size follows several.';
    explained.replaceChildren(
        ...scoreWords(tree.finals).map((text) => make('p', {class: 'hint'}, text)));
    list.replaceChildren(hypothesisTable(tree.finals, ({node}) => {
      figure.note.textContent =
          `${words(path(node)).map((word) => word.text).join(' ')}: log-probability ${
              fixed(node.logprob, 3)}, score ${fixed(node.score, 3)}`;
    }));
  }

  function showNothing() {
    lede.textContent = 'No beam here: the translation was given, not searched for.';
    map.clear();
    for (const holder of [list, explained, figure.controls, figure.note]) holder.replaceChildren();
    figure.side.textContent = figure.summary.textContent = '';
    finished.hidden = true;
    figure.refresh(false);
  }

  function update(changed) {
    if (!app.trace) return;
    if (['trace', 'side', 'row'].some((name) => changed.has(name))) strip.update();
    if (changed.has('trace'))
      tree = new BeamTree(app.trace.data.beam, app.trace.data.target.tokens);
    if (tree.nodes.length === 0) return showNothing();
    if (changed.has('trace') || changed.has('beam') || changed.has('dropped')) {
      drawControls();
      drawWords();
    }
    if (['trace', 'step', 'dropped', 'side', 'row'].some((name) => changed.has(name))) {
      const now = step();
      replay.show(now, tree.steps.length);
      figure.note.textContent = now < 0 ? '' : stepSentence(now);
      figure.summary.textContent = summary(now);
      map.show({tree, now, dropped: dropped(), chosen: chosenToken(app, 'target')});
    }
    figure.refresh();
  }
  return {element, update, stop: () => replay.pause()};
}
