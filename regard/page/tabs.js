// The views of the page as tabs: in the bar, and on a telephone at the bottom.

import {make} from './dom.js';
import {shows} from './model_views.js';
import {PhoneTabs} from './phone_tabs.js';

export class Tabs {
  /** views: [name, text, .., group]. */
  constructor(app, views) {
    Object.assign(this, {app, views});
    this.holder = document.getElementById('tabs');
    this.phone = new PhoneTabs(app, document.getElementById('phone-tabs'));
  }

  /** Those of the model, with a gap between groups. */
  make() {
    const {app} = this;
    const tab = ([name, text, , group]) => make(
        'a', {
          'data-view': name,
          'data-group': group,
          on: {
            click: (event) => {
              event.preventDefault();
              app.set({view: name});
            }
          },
        },
        text);
    const gap = () => make('span', {class: 'tabs-gap', 'aria-hidden': 'true'});
    const own = this.views.filter(([name]) => shows(app.model, name));
    this.holder.replaceChildren(...own.flatMap(
        (each, i) => i > 0 && own[i - 1][3] !== each[3] ? [gap(), tab(each)] : [tab(each)]));
  }

  /** Marks the view that is shown; each leads to it as everything else is now. */
  update(shown) {
    for (const tab of this.holder.querySelectorAll('a')) {
      const name = tab.dataset.view;
      tab.href = this.app.address({view: name});
      if (name === shown)
        tab.setAttribute('aria-current', 'page');
      else
        tab.removeAttribute('aria-current');
    }
    this.phone.update(shown, this.views.find(([name]) => name === shown)[3]);
  }

  /** On a narrow screen the tabs scroll; by hand, because scrollIntoView would move the page too. */
  show() {
    const {holder} = this;
    if (holder.clientWidth === 0) return;  // a telephone has others
    const [whole, own] =
        [holder, holder.querySelector('[aria-current]')].map((each) => each.getBoundingClientRect());
    holder.scrollLeft += (own.left + own.right - whole.left - whole.right) / 2;
  }
}
