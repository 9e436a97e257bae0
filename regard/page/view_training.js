// Training as it goes: curves from metrics.jsonl, asked for again every two seconds while a run
// grows.

import {Curves, smoothed} from './curves.js';
import {choice, labelled, make, put, slider, tick} from './dom.js';
import {Figure} from './figure.js';
import {brief} from './wording.js';

const pause = 2000;

const charts = [
  {
    name: 'loss',
    title: 'Loss',
    series: [['train', 'loss', 'training'], ['valid', 'loss', 'validation']]
  },
  {name: 'bleu', title: 'BLEU', series: [['valid', 'bleu', 'BLEU']], linear: true},
  {
    name: 'perplexity',
    title: 'Perplexity',
    series: [['train', 'perplexity', 'training'], ['valid', 'perplexity', 'validation']]
  },
  {name: 'rate', title: 'Learning rate', series: [['train', 'learning_rate', 'learning rate']]},
  {name: 'gradient', title: 'Gradient norm', series: [['train', 'grad_norm', 'gradient norm', 'gradient']]},
];

const stateText = {
  running: 'training, updated every two seconds',
  unknown: 'state unknown'
};

export function trainingView(app) {
  const runs = new Map();  // id -> {lines, next, state}
  let stopped = false;
  let keyless = false;  // refused for want of a key: looks again when a translation has come
  let timer = 0;
  const status = make('p', {class: 'hint', role: 'status'});
  const controls = make('div', {class: 'controls picker'});
  const figures = charts.map((chart) => {
    const curves = new Curves({height: chart.name === 'loss' ? 280 : 200});
    const figure =
        new Figure({title: chart.title, name: `training-${chart.name}`, data: () => table(chart)});
    figure.body.append(curves.element);
    return {chart, curves, figure};
  });
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Training'),
      make('div', {class: 'card'}, controls, status, figures[0].figure.element),
      make(
          'div', {class: 'columns even'},
          ...figures.slice(1).map(({figure}) => make('div', {class: 'card'}, figure.element))));

  const shownRuns = () => [...runs].filter(
      ([id]) => !app.state.run || !runs.has(app.state.run) || id === app.state.run);

  function seriesOf(chart, share) {
    return shownRuns().flatMap(
        ([id, run]) =>
            chart.series
                .map(([type, key, name, former]) => {
                  const points = run.lines.filter((line) => line.type === type)
                                     .map((line) => [line.step, line[key] ?? line[former]])
                                     .filter(([, value]) => typeof value === 'number');
                  // Validation values are few and already means; only the noisy ones are smoothed.
                  return {
                    name: shownRuns().length > 1 ? `${id} ${name}` : name,
                    points: type === 'train' && share > 0 ? smoothed(points, share) : points
                  };
                })
                .filter((each) => each.points.length > 0));
  }

  function table(chart) {
    const series = seriesOf(chart, 0);
    const steps = [...new Set(series.flatMap((each) => each.points.map(([step]) => step)))].sort(
        (a, b) => a - b);
    const columns = series.map((each) => new Map(each.points));
    return {
      columns: ['step', ...series.map((each) => each.name)],
      rows: steps.map((step) => [step, ...columns.map((values) => values.get(step) ?? '')])
    };
  }

  function drawAll() {
    for (const {chart, curves, figure} of figures) {
      const series = seriesOf(chart, app.state.smooth);
      curves.show({
        series,
        log: app.state.log && !chart.linear,
        xName: 'step',
        label: `${chart.title} by step`
      });
      const last = series.map(
          (each) => `${each.name} ${brief(each.points[each.points.length - 1][1])} at step ${
              each.points[each.points.length - 1][0]}`);
      figure.summary.textContent =
          last.length ? `Last: ${last.join(', ')}.` : 'No such numbers in these runs.';
      figure.refresh(series.length > 0);
    }
    status.textContent = runs.size === 0 ?
        'No run here: a run is a model folder that holds metrics.jsonl.' :
        shownRuns().map(([id, run]) => `${id}: ${stateText[run.state] ?? run.state}`).join('; ');
  }

  function drawControls() {
    put(controls,
        runs.size > 1 ? labelled(
                            'Run',
                            choice(
                                [['', 'all'], ...[...runs.keys()].map((id) => [id, id])],
                                app.state.run, (run) => app.set({run}))) :
                        null,
        tick('Logarithmic', app.state.log, (log) => app.set({log})),
        labelled('Smoothing', slider({
                   low: 0,
                   high: 0.95,
                   step: 0.05,
                   value: app.state.smooth,
                   label: 'Smoothing',
                   change: (smooth) => app.set({smooth})
                 })));
  }

  async function look() {
    keyless = false;
    try {
      const known = runs.size;
      for (const {id, state, lines: length} of await app.source.runs()) {
        const old = runs.get(id);
        // A run that has become shorter was begun again.
        const run = old && length >= old.next ? old : {lines: [], next: 0};
        const {lines, next} = await app.source.metrics(id, run.next);
        run.lines.push(...lines);
        Object.assign(run, {next, state});
        runs.set(id, run);
      }
      if (stopped) return;
      if (runs.size !== known) drawControls();
      drawAll();
    } catch (error) {
      status.textContent = error.message;
      keyless = Boolean(error.wantsKey);
    }
    if (!stopped && !keyless && app.source.live) timer = setTimeout(look, pause);
  }

  return {
    element,
    start() {
      drawControls();
      look();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    update(changed) {
      if (keyless && changed.has('trace')) look();
      if (['run', 'log', 'smooth'].some((name) => changed.has(name))) drawAll();
    },
  };
}
