// One run of training as its lines say it: series, figures and sentences.

import {count, several, short} from './wording.js';

const largest = (points) =>
    points.reduce((best, point) => !best || point[1] > best[1] ? point : best, null);

export class TrainingRun {
  constructor(id) {
    this.id = id;
    this.lines = [];
    this.next = 0;
    this.state = 'unknown';
    this.steps = 0;  // in all, where the server knows
  }

  /** [[step, value]] of the lines of a type; former: the key's old name. */
  series(type, key, former) {
    return this.lines.filter((line) => line.type === type)
        .map((line) => [line.step, line[key] ?? line[former]])
        .filter(([step, value]) => typeof step === 'number' && typeof value === 'number');
  }

  get training() { return this.series('train', 'loss'); }
  get validation() { return this.series('valid', 'loss'); }
  get bleu() { return this.series('valid', 'bleu'); }
  get best() { return largest(this.bleu); }
  get step() { return this.lines.reduce((most, {step}) => step > most ? step : most, 0); }
  get epoch() { return this.lines.reduce((most, {epoch}) => epoch > most ? epoch : most, 0); }
  get tokens() { return this.lines.reduce((most, {tokens}) => tokens > most ? tokens : most, 0); }

  /** The loss that a figure names: of validation, where there was any. */
  get lastLoss() {
    const [name, points] = this.validation.length > 0 ? ['validation loss', this.validation] :
                                                        ['training loss', this.training];
    return points.length > 0 ? {name, value: points[points.length - 1][1]} : null;
  }

  /** "12 epochs, 20,883 steps, 20.8 M tokens read". */
  get extent() {
    const parts = [
      this.epoch > 0 ? several(this.epoch, 'epoch') : '',
      several(this.step, 'step'),
      this.tokens > 0 ? `${short(this.tokens)} tokens read` : '',
    ];
    return parts.filter(Boolean).join(', ');
  }

  /** How it stands. kept: in a saved file, so that it cannot change any more. */
  status(kept) {
    const at = `step ${count(this.step)}`;
    if (kept) return `Copied, no longer training: ${this.extent}.`;
    if (this.lines.length === 0 && this.state === 'running')
      return 'Running, nothing measured yet.';
    return {
      running: `Running, ${at}${
          this.steps > 0 ? ` of ${count(this.steps)}` :
              this.epoch > 0 ? `, epoch ${this.epoch}` :
                               ''}.`,
      finished: `Finished: ${this.extent}.`,
      stopped: `Stopped at ${at}. Run the same command to resume.`,
      diverged: `Diverged at ${at}: the loss grew without end. A lower learning rate may help.`,
      failed: `Failed at ${at} with an error.`,
    }[this.state] ||
        `State unknown: the folder has no state.json, so it was copied, or trained by an older regard. Last measured at ${
               at}.`;
  }

  /**
   * Why training loss lies where it does; '' where there is too little to tell. model: its entry,
   * which names the dropout it was trained with.
   */
  lossWords(model) {
    const {training, validation} = this;
    const last = validation[validation.length - 1];
    const near = last && [...training].reverse().find(([step]) => step <= last[0]);
    if (!near) return '';
    const [above, below] = [near[1], last[1]].map((value) => value.toFixed(2));
    if (near[1] < last[1])
      return `At step ${count(last[0])} training loss (${above}) is below validation loss (${
          below}): the model does better on sentences it was trained on.`;
    const causes = [];
    const {dropout = 0, attention_dropout: attention = 0, ffn_dropout: ffn = 0} = model?.spec || {};
    const line = this.lines.find(({type, step}) => type === 'train' && step === near[0]);
    // The perplexity is not smoothed; where its logarithm is less than the loss, the loss is.
    const plain = Math.log(line.perplexity);
    if (plain < line.loss - 1e-3)
      causes.push(`label smoothing (+${(line.loss - plain).toFixed(2)} here)`);
    if (Math.max(dropout, attention, ffn) > 0)
      causes.push(`dropout (${Math.max(dropout, attention, ffn)})`);
    const why = causes.length > 0 ?
        `: ${causes.join(' and ')} ${causes.length > 1 ? 'apply' : 'applies'} in training only.` :
        '.';
    return `At step ${count(last[0])} training loss (${above}) is above validation loss (${below})${
        why}`;
  }
}
