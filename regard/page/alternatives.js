// What the model could have generated instead of one word: other words, if a server can be asked,
// and the likeliest tokens at the steps that made it.

import {make} from './dom.js';
import {percent} from './wording.js';

/** A panel for some tokens of the target; close() is called by its button. `words`: others, or null. */
export function alternatives(tokens, word, words, close) {
  const step = (token) => {
    const chosen = Math.exp(token.logprob);
    const top = token.top || [];
    // The chosen token may stand below the best ones: beam search looks further than one step.
    const listed = top.some((each) => each.id === token.id) ?
        top :
        [...top, {text: token.text, id: token.id, p: chosen}];
    return make(
        'div', {class: 'step'}, make('h4', {dir: 'auto'}, token.text),
        make(
            'ol', {},
            ...listed.map(
                (each) => make(
                    'li', {class: each.id === token.id ? 'chosen' : ''},
                    make('span', {class: 'option-text', dir: 'auto'}, each.text),
                    make(
                        'span', {class: 'option-bar', 'aria-hidden': 'true'},
                        make('span', {style: {width: `${Math.max(0.5, each.p * 100)}%`}})),
                    make(
                        'span', {class: 'option-number'},
                        each.p >= 0.001 || each.p === 0 ? `${(each.p * 100).toFixed(1)} %` :
                                                          '< 0.1 %'),
                    each.id === token.id ? make('span', {class: 'option-note'}, 'chosen') :
                                           null))));
  };
  const chance = tokens.reduce((product, token) => product * Math.exp(token.logprob), 1);
  const steps = make('div', {class: 'steps'}, ...tokens.map(step));
  return make(
      'div', {class: 'alternatives', role: 'region', 'aria-label': `Alternatives to ${word}`},
      make(
          'div', {class: 'alternatives-head'},
          make(
              'h3', {}, 'Instead of ', make('q', {dir: 'auto'}, word),
              `, chosen with ${percent(chance)}`),
          make('button', {type: 'button', class: 'plain', on: {click: close}}, 'Close')),
      words,
      words ? make('details', {}, make('summary', {}, 'Token by token'), steps) : steps);
}
