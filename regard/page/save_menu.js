// The arrow in a figure's head: the kinds of file it can be taken home as.

import {make, roving} from './dom.js';
import {icon} from './icons.js';
import {theme} from './theme.js';

const kinds =
    [['SVG', 'drawing'], ['PNG', 'picture'], ['PDF', 'page'], ['CSV', 'table'], ['JSON', 'data']];

/** save(kind, asShown): kind is SVG, PNG, PDF, CSV or JSON; asShown: in the colours of the page. */
export class SaveMenu {
  constructor(title, save) {
    this.shown = false;  // whether dark figures stay dark
    this.button = make(
        'button', {
          type: 'button',
          class: 'icon save-button',
          'aria-haspopup': 'menu',
          'aria-expanded': 'false',
          'aria-label': `Save: ${title}`,
          title: 'Save this figure',
          on: {click: () => this.menu.hidden ? this.open() : this.close()},
        },
        icon('save'));
    const item = ([kind, text]) => make(
        'button', {
          type: 'button',
          role: 'menuitem',
          tabindex: '-1',
          'data-save': kind.toLowerCase(),
          on: {
            click: () => {
              this.close(true);
              save(kind, this.shown);
            }
          },
        },
        kind, make('span', {}, text));
    this.tick = make(
        'button', {
          type: 'button',
          role: 'menuitemcheckbox',
          tabindex: '-1',
          'aria-checked': 'false',
          class: 'save-shown',
          on: {
            click: () => {
              this.shown = !this.shown;
              this.tick.setAttribute('aria-checked', String(this.shown));
            }
          },
        },
        'Keep dark colours');
    this.menu = make(
        'div', {class: 'save-menu', role: 'menu', 'aria-label': 'Save as', hidden: true},
        ...kinds.map(item), this.tick);
    this.element = make(
        'div', {class: 'save', hidden: true, on: {keydown: (event) => this.key(event)}},
        this.button, this.menu);
    this.outside = (event) => this.element.contains(event.target) || this.close();
    this.element.addEventListener('focusout', (event) => {
      if (event.relatedTarget && !this.element.contains(event.relatedTarget)) this.close();
    });
  }

  items() { return [...this.menu.children].filter((each) => !each.hidden); }

  open() {
    this.tick.hidden = theme() === 'light';
    this.menu.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', this.outside);
    this.items()[0].focus();
  }

  close(back = false) {
    if (this.menu.hidden) return;
    this.menu.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', this.outside);
    if (back) this.button.focus();
  }

  key(event) {
    const open = !this.menu.hidden;
    if (event.key === 'Escape' && open) {
      this.close(true);
    } else if (event.key === 'ArrowDown' && !open) {
      this.open();
    } else {
      const at = this.items().indexOf(document.activeElement);
      if (at < 0 || roving(this.items(), at, event.key) < 0) return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
