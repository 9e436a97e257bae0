// The search as a railway map that is walked by keys: a line for each hypothesis, and at its end
// how probable it is.

import {odds, tiny, wholePercent} from './beam_table.js';
import {path, words} from './beam_tree.js';
import {draw, drawnToWidth, make, pageFont, textWidth} from './dom.js';
import {layout, lineHeight, railway, wordSentence} from './railway.js';
import {tokenLabel} from './token_names.js';
import {fixed, quoted, several} from './wording.js';

/** 1st, 2nd, 3rd, 11th. */
function ordinal(number) {
  const tail = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10;
  return `${number}${['th', 'st', 'nd', 'rd'][tail] || 'th'}`;
}

/** What a hypothesis is called at the end of its line; now: the step shown, -1: after the last. */
function rankName({rank, final}, now, width) {
  if (now >= 0) return `${ordinal(rank + 1)}${final ? ', ended' : ' so far'}`;
  return rank > 0 ? ordinal(rank + 1) : width > 1 ? 'the winner' : 'the whole';
}

/** What stands at the end of a line, large and small; in long sentences all are next to nothing. */
function endTexts(hypothesis, winner, name) {
  const whole = wholePercent(hypothesis.probability);
  if (!tiny(winner)) return [whole, name];
  return hypothesis === winner ? [name, whole] : [odds(winner, hypothesis), name];
}

/** All words that a replay will show, by their place. */
function reserved(tree) {
  const places = [];
  for (const node of tree.nodes) {
    if (node.state === 'pruned' || node.end) continue;
    const list = words(path(node));
    (places[list.length - 1] ||= new Set()).add(list[list.length - 1].text);
  }
  return Array.from(places, (texts) => [...(texts || [])]);
}

export class BeamMap {
  /** pointed(sentence, aloud): a word is looked at; picked(step): one of the winner was chosen. */
  constructor({pointed, picked}) {
    Object.assign(this, {pointed, picked});
    this.stations = [];
    this.drawnStep = -1;
    this.endsWidth = 0;  // of the column that says what each line is worth
    this.svg = draw('svg', {class: 'beam', role: 'group'});
    this.ends = make('div', {class: 'ends'});
    this.element = make(
        'div',
        {class: 'scroll railway', tabindex: '0', role: 'region', 'aria-label': 'Map of hypotheses'},
        make('div', {class: 'railway-body'}, this.svg, this.ends));
    this.redraw = drawnToWidth(this.element, () => this.data && this.draw());
    this.element.addEventListener('scroll', () => this.markLeaving(), {passive: true});
    this.leaving = [];  // of lines: {line, button}
  }

  /**
   * data: {tree, now: the step, -1: after the last, dropped: whether what was dropped is shown,
   * chosen: the step of the chosen word}
   */
  show(data) {
    this.unseen ||= this.data?.tree !== data.tree;  // a new map, not yet scrolled
    this.data = data;
    this.redraw();
  }

  clear() {
    this.data = null;
    this.svg.replaceChildren();
    this.ends.replaceChildren();
    this.leaving = [];
  }

  /** Whether a line is the winner, whose words can be chosen. */
  isWinner(line) { return !line.parent && this.data.now < 0; }

  isChosen(line, i) {
    return this.isWinner(line) &&
        line.words[i].tokens.some((token) => token.step === this.data.chosen);
  }

  choose(line, i) {
    if (this.isWinner(line)) this.picked(line.words[i].tokens[0].step);
    this.pointed(wordSentence(line, i), true);
  }

  listeners(line, i) {
    return {
      pointerenter: () => this.pointed(wordSentence(line, i), false),
      click: () => this.choose(line, i),
      focus: () => this.pointed(wordSentence(line, i), true),
      keydown: (event) => this.walk(event, line, i),
    };
  }

  /** Left and right along a line and on to the one it left, up and down between lines. */
  walk(event, line, i) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const {stations} = this;
    const at = (wanted, place) => stations.find((each) => each.line === wanted && each.i === place);
    const beyond = (rows) => rows.map((each) => at(each, i)).find(Boolean);
    const all = [...new Set(stations.map((each) => each.line))];
    const own = all.indexOf(line);
    const next = {
      ArrowLeft: () => at(line, i - 1) || (line.parent && this.nearest(line.parent, i - 1)),
      ArrowRight: () => at(line, i + 1),
      ArrowUp: () => beyond(all.slice(0, own).reverse()),
      ArrowDown: () => beyond(all.slice(own + 1)),
      Enter: () => (this.choose(line, i), null),
      Home: () => stations.find((each) => each.line === line),
      End: () => at(line, line.words.length - 1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const found = next();
    if (found) this.stop(found, true);
  }

  /** The word at a place of a line, wherever it is drawn. */
  nearest(line, place) {
    const owner = place < line.branch && line.parent ? line.parent : line;
    return owner === line ? this.stations.find((each) => each.line === line && each.i === place) :
                            this.nearest(owner, place);
  }

  /** Makes a station the one that Tab reaches. */
  stop(station, focus = false) {
    for (const {shape} of this.stations)
      shape.setAttribute('tabindex', shape === station.shape ? '0' : '-1');
    if (!focus) return;
    const {element} = this;
    station.shape.focus({preventScroll: true});
    const box = station.shape.getBoundingClientRect(), frame = element.getBoundingClientRect();
    if (box.left < frame.left) element.scrollLeft += box.left - frame.left - 20;
    const right = frame.right - this.endsWidth;
    if (box.right > right) element.scrollLeft += box.right - right + 20;
    station.shape.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  /** Room for the ends of lines, and what is left of it scrolls. */
  fitEnds(hypotheses) {
    const font = pageFont(17, 660);
    const widths = hypotheses.map((each) => textWidth(this.endTexts(each)[0], font));
    this.endsWidth = Math.max(...widths, 64) + 16;
    this.ends.style.setProperty('width', `${this.endsWidth}px`);
  }

  endTexts(hypothesis) {
    const {tree, now} = this.data;
    const [winner] = now < 0 ? tree.finals : tree.at(now);
    return endTexts(hypothesis, winner, rankName(hypothesis, now, tree.width));
  }

  endLabel({hypothesis, y}) {
    const [large, small] = this.endTexts(hypothesis);
    const {rank, score} = hypothesis;
    return make(
        'p', {
          class: rank === 0 ? 'end best' : 'end',
          style: {top: `${y - 14}px`},
          title: `log-probability ${fixed(hypothesis.node.logprob, 4)}, score ${fixed(score, 4)}`,
        },
        make('b', {}, large), make('span', {}, small));
  }

  draw() {
    const {tree, now, dropped} = this.data;
    const {svg} = this;
    const hypotheses = now < 0 ? tree.finals : tree.at(now);
    this.fitEnds(hypotheses);
    const plan = layout(hypotheses, {
      room: this.element.clientWidth - this.endsWidth,
      dropped: dropped ? tree.dropped(hypotheses, now) : [],
      reserve: now < 0 ? [] : (tree.reserve ||= reserved(tree)),
    });
    const drawn = railway(plan, {
      chosen: (line, i) => this.isChosen(line, i),
      fresh: (word) => now >= 0 && word.tokens.some((token) => token.step === now),
      listeners: (line, i) => this.listeners(line, i),
    });
    const tall = now < 0 ? 0 : lineHeight * (tree.mostRows ??= tree.tallest);
    const height = Math.max(plan.height, tall);
    const focused = svg.contains(document.activeElement);
    this.stations = drawn.stations;
    svg.setAttribute('width', plan.width);
    svg.setAttribute('height', height);
    svg.setAttribute('viewBox', `0 0 ${plan.width} ${height}`);
    svg.setAttribute(
        'aria-label', `${several(hypotheses.length, 'hypothesis', 'hypotheses')}, one per line`);
    svg.replaceChildren(...drawn.shapes);
    this.plan = plan;
    this.leaving = plan.rows.filter((line) => line.parent).map((line) => this.leavingOf(line));
    this.ends.replaceChildren(
        ...plan.rows.map((line) => this.endLabel(line)), ...this.leaving.map(({button}) => button));
    const chosen = this.stations.find(({line, i}) => this.isChosen(line, i));
    if (this.stations.length > 0) this.stop(chosen || this.stations[0], focused);
    if (now >= 0)
      this.follow(plan);
    else if (this.unseen || this.drawnStep >= 0)
      this.showParting(plan);
    this.markLeaving();
    this.drawnStep = now;
    this.unseen = false;
  }

  /** Says in the row of a line out of sight where it leaves the others; a click goes there. */
  leavingOf(line) {
    const button = make('button', {
      type: 'button',
      class: 'leaving',
      hidden: true,
      style: {top: `${line.y}px`},
      on: {click: () => this.goTo(line.branch)},
    });
    return {line, button};
  }

  markLeaving() {
    const {element, plan} = this;
    const from = element.scrollLeft;
    const to = from + element.clientWidth - this.endsWidth;
    for (const {line: {branch, words: list}, button} of this.leaving) {
      const {columns} = plan;
      const first = columns[branch] || columns.at(-1);
      const last = columns[Math.max(branch, list.length - 1)] || first;
      const [later, earlier] = [first.middle > to, last.middle < from];
      button.hidden = !later && !earlier;
      if (button.hidden) continue;
      const name = make('bdi', {}, list[branch] ? quoted(list[branch].text) : tokenLabel('</s>'));
      button.replaceChildren(...(later ? ['leaves at ', name, ' →'] : ['← left at ', name]));
    }
  }

  /** Of a long map, the first words that differ are worth more than those all share. */
  showParting(plan) {
    const parted = plan.rows.filter((line) => line.parent).map((line) => line.branch);
    this.goTo(parted.length > 0 ? Math.min(...parted) : 0);
  }

  /** Scrolls until a column is in sight, with a few before it, the first of them whole. */
  goTo(place) {
    const {columns} = this.plan;
    const {left} = columns[place] || columns.at(-1) || {left: 0};
    const inSight = this.element.clientWidth - this.endsWidth;
    const begin = columns.find((column) => column.left >= left - inSight / 3);
    this.element.scrollLeft = left + 160 > inSight ? begin.left : 0;
  }

  /** Brings the word of this step into sight. */
  follow(plan) {
    const {now} = this.data;
    const place = Math.max(...plan.rows.map(
        ({words}) => words.findIndex((word) => word.tokens.some((token) => token.step === now))));
    if (place < 0) return;
    const {element} = this;
    const {left, room} = plan.columns[place];
    const inSight = element.clientWidth - this.endsWidth;
    if (left < element.scrollLeft || left + room + 40 > element.scrollLeft + inSight)
      element.scrollLeft = left + room + 40 - inSight;
  }
}
