// A dropped text file that is too long for the pane: translated part by part, each line to a line,
// shown as it comes, and saved as a file.

import {make, put, say} from './dom.js';
import {download} from './figure.js';
import {linesIn, textParts} from './text_parts.js';
import {Turn} from './turn.js';
import {count, several} from './wording.js';

/** "letter.txt" -> "letter.fr.txt". */
const translatedName = (name, to) => `${name.replace(/\.txt$/i, '')}${to ? `.${to}` : ''}.txt`;

export class FilePanel {
  constructor(app) {
    this.app = app;
    this.turn = new Turn();
    this.title = make('h2', {class: 'figure-title', dir: 'auto'});
    this.facts = make('p', {class: 'hint'});
    this.bar = make('progress', {'aria-label': 'Lines translated'});
    this.buttons = make('div', {class: 'controls'});
    this.text = make('pre', {
      class: 'file-text',
      dir: 'auto',
      tabindex: '0',
      role: 'region',
      'aria-label': 'Translation of the file',
    });
    this.element = make(
        'section', {class: 'card file-panel', 'aria-label': 'Text file', hidden: true},
        make('div', {class: 'file-head'}, this.title, this.buttons), this.bar, this.facts,
        this.text);
  }

  /**
   * Translates a file from its beginning, with the model of now and the server's own beam, which
   * takes any text.
   */
  take(name, text) {
    const {app} = this;
    const {beam, top, ...request} = app.request('');
    Object.assign(this, {
      name,
      request,
      parts: textParts(text, app.limits.chars),
      lines: linesIn(text),
      translated: [],
      done: 0,  // lines
    });
    this.text.replaceChildren();
    this.element.hidden = false;
    this.run();
  }

  /** From the first part that is not translated yet. */
  async run() {
    const signal = this.turn.next();
    const {parts, translated} = this;
    this.show(true);
    say(`Translating ${this.name}`);
    try {
      while (translated.length < parts.length) {
        const answer = await this.ask(parts[translated.length], signal);
        if (signal.aborted) return;
        translated.push(answer);
        this.done += answer.split('\n').length - 1;
        this.text.append(answer);
        this.show(true);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.show(false, error.message);
      if (error.wantsKey) this.app.refused(error);
      return say(error.message);
    }
    this.show(false);
    say(`${this.name} is translated`);
  }

  /** Spaces alone are no text to a server. */
  async ask(q, signal) {
    if (q.trim() === '') return q;
    return (await this.app.source.translate({...this.request, q}, signal)).translatedText;
  }

  stop() {
    this.turn.end();
    this.show(false);
    say('Stopped');
  }

  close() {
    this.turn.end();
    this.element.hidden = true;
    this.text.replaceChildren();
    this.parts = this.translated = [];
  }

  save() {
    download(
        translatedName(this.name, this.request.target),
        new Blob([this.translated.join('')], {type: 'text/plain'}));
  }

  show(running, trouble = '') {
    const {parts, translated, lines, done} = this;
    const ready = translated.length === parts.length;
    const button = (text, click, main = false) => make(
        'button', {type: 'button', class: main ? 'main' : undefined, on: {click: () => click()}},
        text);
    this.title.textContent = this.name;
    this.bar.max = parts.length;
    this.bar.value = translated.length;
    this.facts.classList.toggle('beyond-hint', trouble !== '');
    this.facts.textContent = ready ?
        `${several(lines, 'line')} translated.` :
        `${count(done)} of ${several(lines, 'line')} translated${running ? '…' : '. '}${
            running ? '' : trouble || 'Stopped.'}`;
    put(this.buttons, running ? button('Stop', () => this.stop()) : null,
        running || ready ? null : button('Continue', () => this.run(), true),
        running || translated.length === 0 ? null : button('Save', () => this.save(), ready),
        button('Close', () => this.close()));
  }
}
