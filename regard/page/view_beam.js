// The search as a railway map, a replay of it step by step, and what it finished as a table.

import {hypothesisTable, scoreWords, wholePercent} from './beam_table.js';
import {BeamTree, path, words} from './beam_tree.js';
import {choice, draw, drawnToWidth, labelled, make, pageFont, put, say, textWidth, tick} from './dom.js';
import {Figure} from './figure.js';
import {layout, lineHeight, railway, wordSentence} from './railway.js';
import {Replay} from './replay.js';
import {SentenceStrip} from './sentence_strip.js';
import {count, fixed, several} from './wording.js';

const numbers =
    ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** 1st, 2nd, 3rd, 11th. */
function ordinal(number) {
  const tail = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10;
  return `${number}${['th', 'st', 'nd', 'rd'][tail] || 'th'}`;
}

export function beamView(app) {
  let tree = null;
  let stations = [];
  let drawnStep = -1;
  let endsWidth = 0;  // of the column that says what each line is worth
  let unseen = true;  // a new map, not yet scrolled
  const strip = new SentenceStrip(app);
  const lede = make('p', {class: 'lede'});
  const svg = draw('svg', {class: 'beam', role: 'group'});
  const ends = make('div', {class: 'ends'});
  const scroller = make(
      'div',
      {class: 'scroll railway', tabindex: '0', role: 'region', 'aria-label': 'Map of hypotheses'},
      make('div', {class: 'railway-body'}, svg, ends));
  const figure = new Figure({
    title: 'How the translations part',
    name: 'beam',
    data: () => nodeTable(),
    json: () => app.trace.data.beam,
  });
  const replay = new Replay({calm: app.calm, go: (step) => app.set({step})});
  figure.body.append(scroller);
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
  const redraw = drawnToWidth(scroller, () => tree && tree.nodes.length > 0 && drawMap());

  function nodeTable() {
    return {
      columns: ['step', 'token', 'follows', 'log-probability', 'score', 'state'],
      rows: tree.nodes.map(
          (node) =>
              [node.step + 1, node.text, node.from ? node.from.text : '', node.logprob, node.score,
               node.state]),
    };
  }

  const step = () => app.state.step < 0 ? -1 : Math.min(app.state.step, tree.steps.length - 1);

  /** Whether a word is of the winner, whose tokens are the queries of the views inside. */
  const isQuery = (line) =>
      !line.parent && step() < 0 && ['cross', 'decoder'].includes(app.entry()?.kind);
  const isChosen = (line, i) =>
      isQuery(line) && line.words[i].tokens.some((token) => token.step === app.state.row);

  function point(line, i, aloud) {
    const sentence = wordSentence(line, i);
    figure.note.textContent = sentence;
    if (aloud) say(sentence);
  }

  function choose(line, i) {
    if (isQuery(line)) app.set({row: line.words[i].tokens[0].step});
    point(line, i, true);
  }

  const listeners = (line, i) => ({
    pointerenter: () => point(line, i, false),
    click: () => choose(line, i),
    focus: () => point(line, i, true),
    keydown: (event) => walk(event, line, i),
  });

  /** Left and right along a line and on to the one it left, up and down between lines. */
  function walk(event, line, i) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = (wanted, place) => stations.find((each) => each.line === wanted && each.i === place);
    const beyond = (rows) => rows.map((each) => at(each, i)).find(Boolean);
    const all = [...new Set(stations.map((each) => each.line))];
    const own = all.indexOf(line);
    const next = {
      ArrowLeft: () => at(line, i - 1) || (line.parent && nearest(line.parent, i - 1)),
      ArrowRight: () => at(line, i + 1),
      ArrowUp: () => beyond(all.slice(0, own).reverse()),
      ArrowDown: () => beyond(all.slice(own + 1)),
      Enter: () => (choose(line, i), null),
      Home: () => stations.find((each) => each.line === line),
      End: () => at(line, line.words.length - 1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const found = next();
    if (found) stop(found, true);
  }

  /** The word at a place of a line, wherever it is drawn. */
  function nearest(line, place) {
    const owner = place < line.branch && line.parent ? line.parent : line;
    return owner === line ? stations.find((each) => each.line === line && each.i === place) :
                            nearest(owner, place);
  }

  /** Makes a station the one that Tab reaches. */
  function stop(station, focus = false) {
    for (const {shape} of stations)
      shape.setAttribute('tabindex', shape === station.shape ? '0' : '-1');
    if (!focus) return;
    station.shape.focus({preventScroll: true});
    const box = station.shape.getBoundingClientRect(), frame = scroller.getBoundingClientRect();
    if (box.left < frame.left) scroller.scrollLeft += box.left - frame.left - 20;
    const right = frame.right - endsWidth;
    if (box.right > right) scroller.scrollLeft += box.right - right + 20;
    station.shape.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  /** All words that a replay will show, by their place. */
  function reserved() {
    const places = [];
    for (const node of tree.nodes) {
      if (node.state === 'pruned' || node.end) continue;
      const list = words(path(node));
      (places[list.length - 1] ||= new Set()).add(list[list.length - 1].text);
    }
    return Array.from(places, (texts) => [...(texts || [])]);
  }

  function endLabel({hypothesis, y}, now) {
    const {rank, probability, final, score} = hypothesis;
    const name = now < 0 ? (rank > 0           ? ordinal(rank + 1) :
                                tree.width > 1 ? 'the winner' :
                                                 'the whole') :
                           `${ordinal(rank + 1)}${final ? ', ended' : ' so far'}`;
    return make(
        'p', {
          class: rank === 0 ? 'end best' : 'end',
          style: {top: `${y - 14}px`},
          title: `log-probability ${fixed(hypothesis.node.logprob, 4)}, score ${fixed(score, 4)}`,
        },
        make('b', {}, wholePercent(probability)), make('span', {}, name));
  }

  function drawMap() {
    const now = step();
    const hypotheses = now < 0 ? tree.finals : tree.at(now);
    endsWidth = Math.max(
                    ...hypotheses.map(
                        ({probability}) => textWidth(wholePercent(probability), pageFont(17, 660))),
                    64) +
        16;
    ends.style.setProperty('width', `${endsWidth}px`);
    const plan = layout(hypotheses, {
      room: scroller.clientWidth - endsWidth,
      dropped: app.state.dropped ? tree.dropped(hypotheses, now) : [],
      reserve: now < 0 ? [] : (tree.reserve ||= reserved()),
    });
    const drawn = railway(plan, {
      chosen: isChosen,
      fresh: (word) => now >= 0 && word.tokens.some((token) => token.step === now),
      listeners,
    });
    const tall = now < 0 ? 0 : lineHeight * (tree.mostRows ??= tree.tallest);
    const focused = svg.contains(document.activeElement);
    stations = drawn.stations;
    svg.setAttribute('width', plan.width);
    svg.setAttribute('height', Math.max(plan.height, tall));
    svg.setAttribute('viewBox', `0 0 ${plan.width} ${Math.max(plan.height, tall)}`);
    svg.setAttribute(
        'aria-label',
        `${
            several(hypotheses.length, 'hypothesis')
                .replace('hypothesiss', 'hypotheses')}, one per line`);
    svg.replaceChildren(...drawn.shapes);
    ends.replaceChildren(...plan.rows.map((line) => endLabel(line, now)));
    figure.note.textContent = now < 0 ? '' : stepSentence(now);
    figure.summary.textContent = summary(now);
    if (stations.length > 0)
      stop(stations.find(({line, i}) => isChosen(line, i)) || stations[0], focused);
    if (now >= 0)
      follow(plan, now);
    else if (now < 0 && (unseen || drawnStep >= 0))
      showParting(plan);
    drawnStep = now;
    unseen = false;
  }

  /** Of a long map, the first words that differ are worth more than those all share. */
  function showParting(plan) {
    const first = Math.min(...plan.rows.filter((line) => line.parent).map((line) => line.branch));
    const {left = 0} = plan.columns[first] || {};
    const inSight = scroller.clientWidth - endsWidth;
    scroller.scrollLeft = left + 160 > inSight ? left - inSight / 3 : 0;
  }

  /** Brings the word of this step into sight. */
  function follow(plan, now) {
    const place = Math.max(...plan.rows.map(
        ({words}) => words.findIndex((word) => word.tokens.some((token) => token.step === now))));
    if (place < 0) return;
    const {left, room} = plan.columns[place];
    const inSight = scroller.clientWidth - endsWidth;
    if (left < scroller.scrollLeft || left + room + 40 > scroller.scrollLeft + inSight)
      scroller.scrollLeft = left + room + 40 - inSight;
  }

  function stepSentence(now) {
    const nodes = tree.steps[now];
    const of = (state) => nodes.filter((node) => node.state === state).length;
    const ended = of('final');
    return `Step ${now + 1} of ${tree.steps.length}: ${
        several(nodes.length, 'continuation')} looked at, ${of('kept')} followed on${
        ended ? `, ${ended} ended` : ''}, ${of('pruned')} dropped.`;
  }

  function summary(now) {
    const ends = now < 0 ?
        'The number at the end of a line is the probability of the whole translation, its end included.' :
        'The number at the end of a line is its probability so far.';
    if (!app.state.dropped) return ends;
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
        app.source.live ? labelled(
                              'Beam size',
                              choice(
                                  sizes.map((size) => [size, String(size)]), app.beam(),
                                  (beam) => app.set({beam: Number(beam), step: -1}), 'Beam size')) :
                          null);
  }

  function drawWords() {
    const {width} = tree;
    figure.side.textContent =
        `${count(tree.nodes.length)} continuations looked at, ${count(tree.pruned)} dropped`;
    figure.title.textContent = width > 1 ? 'How the translations part' : 'One line';
    lede.textContent = width > 1 ?
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
    for (const holder of [svg, ends, list, explained, figure.controls, figure.note])
      holder.replaceChildren();
    figure.side.textContent = figure.summary.textContent = '';
    finished.hidden = true;
    figure.refresh(false);
  }

  function update(changed) {
    if (!app.trace) return;
    if (changed.has('trace') || changed.has('row')) strip.update();
    if (changed.has('trace')) {
      tree = new BeamTree(app.trace.data.beam, app.trace.data.target.tokens);
      finished.hidden = false;
      unseen = true;
    }
    if (tree.nodes.length === 0) return showNothing();
    if (changed.has('trace') || changed.has('beam') || changed.has('dropped')) {
      drawControls();
      drawWords();
    }
    if (['trace', 'step', 'dropped', 'row'].some((name) => changed.has(name))) {
      replay.show(step(), tree.steps.length);
      redraw();
    }
    figure.refresh();
  }
  return {element, update, stop: () => replay.pause()};
}
