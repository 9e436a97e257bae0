// Training as it goes: three figures, then curves from metrics.jsonl, asked for again every two
// seconds, so that a run is seen to grow.

import {Curves, smoothed} from './curves.js';
import {choice, labelled, make, put, segments, slider} from './dom.js';
import {Figure} from './figure.js';
import {TrainingRun} from './training_run.js';
import {count} from './wording.js';

const pause = 2000;

// Of each chart its lines: [type, key, name, look, the key's former name].
const charts = [
  {
    name: 'bleu',
    title: 'BLEU',
    yName: 'BLEU',
    height: 290,
    zero: true,
    series: [['valid', 'bleu', 'BLEU', 'validation']],
  },
  {
    name: 'loss',
    title: 'Loss',
    yName: 'loss per token',
    height: 310,
    zero: true,
    logs: true,
    series:
        [['train', 'loss', 'training', 'training'], ['valid', 'loss', 'validation', 'validation']],
    more: [
      ['train', 'perplexity', 'training perplexity'],
      ['valid', 'perplexity', 'validation perplexity']
    ],
  },
  {
    name: 'rate',
    title: 'Learning rate',
    yName: 'learning rate',
    height: 230,
    zero: true,
    logs: true,
    series: [['train', 'learning_rate', 'learning rate', 'training']],
  },
  {
    name: 'gradient',
    title: 'Gradient norm',
    yName: 'norm before clipping',
    height: 230,
    zero: true,
    logs: true,
    series: [['train', 'grad_norm', 'gradient norm', 'training', 'gradient']],
  },
];

export function trainingView(app) {
  const runs = new Map();
  const over = new AbortController();
  let keyless = false;  // refused for want of a key: looks again when a translation has come
  let timer = 0;
  let drawn = '';  // what is drawn: nothing is drawn again that has not changed
  const status = make('p', {class: 'lede', role: 'status'}, 'Reading the runs …');
  const numbers = make('dl', {class: 'run-figures'});
  const controls = make('div', {class: 'controls'});
  const options = make(
      'details', {class: 'options'}, make('summary', {}, 'Options'),
      make('div', {class: 'controls'}));
  const figures = charts.map((chart) => {
    const curves = new Curves({height: chart.height});
    const figure =
        new Figure({title: chart.title, name: `training-${chart.name}`, data: () => table(chart)});
    figure.body.append(curves.element);
    return {chart, curves, figure, card: make('div', {class: 'card'}, figure.element)};
  });
  const [bleu, loss, ...others] = figures;
  const folded = make(
      'details', {class: 'more-curves'}, make('summary', {}, 'Learning rate and gradient norm'),
      make('div', {class: 'columns even'}, ...others.map(({card}) => card)));
  const body = make('div', {class: 'view', hidden: true}, bleu.card, loss.card, folded);
  const element = make(
      'div', {class: 'view training-view'},
      make(
          'div', {class: 'training-head'},
          make('div', {class: 'view-head'}, make('h1', {}, 'Training'), status), numbers),
      controls, body);

  /** The run that is looked at, and the one drawn over it: one or two. */
  function shown() {
    const {run, versus} = app.state;
    const main = runs.get(run) || runs.get(app.model?.name) || [...runs.values()][0];
    const other = runs.get(versus);
    return main ? [main, ...(other && other !== main ? [other] : [])] : [];
  }

  function linesOf(list, {smooth = 0} = {}) {
    return shown()
        .flatMap((run, i) => list.map(([type, key, name, look, former]) => {
          const points = run.series(type, key, former);
          return {
            name: shown().length > 1 ? (list.length > 1 ? `${run.id} ${name}` : run.id) : name,
            // Validation values are few and already means; only the noisy ones are smoothed.
            points: type === 'train' ? smoothed(points, smooth) : points,
            dots: type === 'valid',
            look: i === 0 ? `curve-${look}` : `curve-${look} versus`,
          };
        }))
        .filter((each) => each.points.length > 0);
  }

  function table({series, more = []}) {
    const lines = linesOf([...series, ...more]);
    const steps = [...new Set(lines.flatMap((each) => each.points.map(([step]) => step)))].sort(
        (a, b) => a - b);
    const columns = lines.map((each) => new Map(each.points));
    return {
      columns: ['step', ...lines.map((each) => each.name)],
      rows: steps.map((step) => [step, ...columns.map((values) => values.get(step) ?? '')]),
    };
  }

  /** BLEU of some points, the best in bold. */
  function bleuMarks() {
    const runs = shown();
    return runs.flatMap(
        (run, i) => run.bleu
                        .map(([x, y]) => {
                          const best = x === run.best[0];
                          return {
                            x,
                            y,
                            text: best ? `${y.toFixed(1)} best` : y.toFixed(1),
                            strong: best,
                            look: i > 0 ? 'versus' : ''
                          };
                        })
                        .filter((mark) => mark.strong || runs.length === 1));
  }

  function drawChart({chart, curves, figure}) {
    const series = linesOf(chart.series, {smooth: app.state.smooth});
    curves.show({
      series,
      log: app.state.log && chart.logs,
      zero: chart.zero,
      xName: 'step',
      yName: chart.yName,
      label: `${chart.title} by step`,
      marks: chart.name === 'bleu' ? bleuMarks() : [],
    });
    curves.element.hidden = series.length === 0;
    figure.refresh(series.length > 0);
  }

  function drawWords() {
    const [run] = shown();
    bleu.figure.summary.textContent = run.best ?
        `BLEU of translations of sentences the model was not trained on: higher is better. Best ${
            run.best[1].toFixed(1)} at step ${count(run.best[0])}.` :
        'BLEU was not measured in this run.';
    const model = app.models.find((each) => each.name === run.id);
    loss.figure.summary.textContent = run.training.length > 0 ?
        `How improbable the right next token was: lower is better. ${run.lossWords(model)}` :
        'Nothing measured yet.';
    const [rate, gradient] = others;
    const points = run.series('train', 'learning_rate');
    const peak = points.reduce((best, point) => !best || point[1] > best[1] ? point : best, null);
    rate.figure.summary.textContent =
        peak ? `How large each step is. Highest at step ${count(peak[0])}.` : 'Not in this run.';
    gradient.figure.summary.textContent = run.series('train', 'grad_norm', 'gradient').length > 0 ?
        'How steep the loss was, as a mean since the line before.' :
        'Not in this run.';
  }

  function drawNumbers() {
    const value =
        (run) => [run.best ? ['best BLEU', run.best[1].toFixed(1)] : null,
                  run.lastLoss ? [`last ${run.lastLoss.name}`, run.lastLoss.value.toFixed(2)] :
                                 null,
                  run.step > 0 ?
                      [
                        run.steps > 0 ? `step of ${count(run.steps)}` :
                            run.state === 'running' ? 'step' :
                                                      'last step',
                        count(run.step)
                      ] :
                      null,
    ].filter(Boolean);
    const [main, other] = shown();
    const against = new Map(other ? value(other) : []);
    numbers.replaceChildren(...value(main).map(
        ([name, text]) => make(
            'div', {}, make('dt', {}, name), make('dd', {}, text),
            against.has(name) ? make('dd', {class: 'against'}, `${other.id} ${against.get(name)}`) :
                                null)));
  }

  function drawAll() {
    const list = shown();
    body.hidden = list.length === 0;
    if (list.length === 0) {
      numbers.replaceChildren();
      status.replaceChildren(
          'No training to show. ',
          app.source.live ? 'A run is the folder that ' : 'This file was saved without one.',
          ...(app.source.live ?
                  [
                    make('code', {}, 'regard train --model FOLDER'), ' writes; ',
                    make('code', {}, 'regard serve FOLDER'),
                    ' shows it, while it trains and afterwards.'
                  ] :
                  []));
      return;
    }
    const words =
        list.map((run) => `${list.length > 1 ? `${run.id}: ` : ''}${run.status(!app.source.live)}`);
    if (status.textContent !== words.join(''))
      status.replaceChildren(...words.map((text) => make('span', {class: 'run-status'}, text)));
    drawNumbers();
    drawWords();
    figures.forEach(drawChart);
  }

  function drawControls() {
    const [main, other] = shown();
    const ids = [...runs.keys()];
    const names = (list) => list.map((id) => [id, id]);
    put(controls,
        ids.length > 1 ?
            labelled('Run', choice(names(ids), main.id, (run) => app.set({run}), 'Run')) :
            null,
        ids.length > 1 ? labelled(
                             'Compare with',
                             choice(
                                 [['', 'none'], ...names(ids.filter((id) => id !== main.id))],
                                 other?.id || '', (versus) => app.set({versus}), 'Compare with')) :
                         null,
        main ? options : null);
    put(options.lastChild,
        labelled(
            'Scale',
            segments(
                [[false, 'Linear'], [true, 'Logarithmic']], app.state.log, (log) => app.set({log}),
                'Scale')),
        labelled('Smoothing', slider({
                   low: 0,
                   high: 0.95,
                   step: 0.05,
                   value: app.state.smooth,
                   label: 'Smoothing',
                   change: (smooth) => app.set({smooth})
                 })));
  }

  /** Fetches what is new of a run. */
  async function follow({id, state, lines: length, total_steps: total}, signal) {
    const old = runs.get(id);
    // A run that has become shorter was begun again.
    const run = old && length >= old.next ? old : new TrainingRun(id);
    while (run.next < length) {
      const {lines, next} = await app.source.metrics(id, run.next, signal);
      if (next <= run.next) break;
      run.lines.push(...lines);
      run.next = next;
    }
    Object.assign(run, {state, steps: total || 0});
    runs.set(id, run);
  }

  async function look() {
    keyless = false;
    const {signal} = over;
    try {
      const found = await app.source.runs(signal);
      for (const each of found) await follow(each, signal);
      for (const id of runs.keys())
        if (!found.some((each) => each.id === id)) runs.delete(id);
      if (signal.aborted) return;
      const now =
          JSON.stringify([...runs.values()].map((run) => [run.id, run.next, run.state, run.steps]));
      if (now !== drawn) {
        drawn = now;
        drawControls();
        drawAll();
      }
    } catch (error) {
      if (signal.aborted) return;
      status.textContent = error.message;
      drawn = '';
      keyless = Boolean(error.wantsKey);
    }
    if (!signal.aborted && !keyless && app.source.live) timer = setTimeout(look, pause);
  }

  return {
    element,
    start: look,
    stop() {
      over.abort();
      clearTimeout(timer);
    },
    update(changed) {
      if (keyless && changed.has('trace')) look();
      if (drawn && ['run', 'versus', 'model', 'log', 'smooth'].some((name) => changed.has(name))) {
        if (!changed.has('smooth')) drawControls();
        drawAll();
      }
    },
  };
}
