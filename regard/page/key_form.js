// The key that a server may ask for: written once, kept in this tab, and never in the address.

import {labelled, make} from './dom.js';

const place = 'regard-api-key';

/** The key of this tab, or ''. A browser that keeps nothing has none. */
export function rememberedKey() {
  try {
    return sessionStorage.getItem(place) || '';
  } catch {
    return '';
  }
}

function remember(key) {
  try {
    if (key)
      sessionStorage.setItem(place, key);
    else
      sessionStorage.removeItem(place);
  } catch {
    // It then lasts until the page is loaded again.
  }
}

/**
 * Fills the holder; change(key) is called when the reader has written a key or forgets it (''). By
 * what the server then says, asked() wants another one, and accepted() says that it is in use.
 */
export function keyForm(holder, change) {
  const field = make('input', {type: 'password', autocomplete: 'off', required: true});
  const use = (key) => {
    remember(key);
    change(key);
  };
  const form = make(
      'form', {
        class: 'controls',
        on: {
          submit: (event) => {
            event.preventDefault();
            use(field.value.trim());
          }
        }
      },
      labelled('API key', field), make('button', {type: 'submit'}, 'Save key'),
      make(
          'span', {class: 'hint'},
          'Kept in this tab until you close it and sent with each request; never in the address.'));
  const note = make(
      'p', {class: 'controls hint'},
      'Each request carries your API key, kept in this tab until you close it.',
      make('button', {type: 'button', class: 'plain', on: {click: () => use('')}}, 'Remove key'));
  const show = (child) => {
    const focused = holder.contains(document.activeElement);
    if (holder.firstChild !== child) holder.replaceChildren(child);
    if (focused) holder.querySelector('input, button').focus();
    holder.hidden = false;
  };
  const asked = () => {
    remember('');
    show(form);
  };
  return {asked, accepted: () => show(note)};
}
