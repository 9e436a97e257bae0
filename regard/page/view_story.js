// Eight steps through the sentence at hand, from tokens to the word that is chosen.

import {make} from './dom.js';

export function storyView() {
  return {element: make('div', {class: 'view'}), update() {}};
}
