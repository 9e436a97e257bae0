// The page's icons: lines on a square of 24.

import {draw} from './dom.js';

const paths = {
  back: 'M15 6l-6 6 6 6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  clear: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
  cube: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.5 8-4.500M12 12v9',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  forward: 'M9 6l6 6-6 6',
  grid: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  letter: 'M5 6V4h14v2M12 4v16M9 20h6',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1.200 1.200M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1.200-1.200',
  moon: 'M20 14.500A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.500z',
  next: 'M5 12h14M13 6l6 6-6 6',
  pause: 'M8.5 6v12M15.5 6v12',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9.500h.010',
  play: 'M8 5.5v13l10.5-6.5z',
  save: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  sun: 'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.400M17 17l1.4 1.400M5.6 18.400l1.4-1.400M17 7l1.4-1.400M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0z',
  swap: 'M4 8.500h15M15 4.500l4 4-4 4M20 15.500H5M9 11.500l-4 4 4 4',
  tune: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
};

export const icon = (name) => draw(
    'svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'glyph'},
    draw('path', {d: paths[name]}));
