// The scales of colours. More is further from the paper: darker on light, brighter on dark. The
// light ones are those of the command line (regard/viewer/colour.cpp); tests hold both to
// tests/viewer/palette.txt.

// From the colour of zero on: lightness runs straight from one end to the other, and tints,
// [chroma, hue in degrees], stand at equal steps beside it.
const light = {
  weight: {
    lightness: [0.985, 0.27],
    tints: [[0.014, 95], [0.05, 160], [0.085, 192], [0.108, 228], [0.13, 260], [0.11, 282]],
  },
  below: {lightness: [0.985, 0.47], tints: [[0, 245], [0.065, 245], [0.115, 250], [0.13, 256]]},
  above: {lightness: [0.985, 0.47], tints: [[0, 70], [0.08, 68], [0.135, 60], [0.14, 50]]},
};
const dark = {
  weight: {
    lightness: [0.245, 0.95],
    tints: [[0.021, 285], [0.085, 275], [0.116, 254], [0.105, 220], [0.095, 180], [0.076, 110]],
  },
  below: {lightness: [0.245, 0.8], tints: [[0, 256], [0.079, 256], [0.115, 250], [0.11, 240]]},
  above: {lightness: [0.245, 0.8], tints: [[0, 54], [0.06, 54], [0.11, 62], [0.125, 75]]},
};
const themes = {
  light,
  dark
};

function encoded(linear) {
  const part = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, part)));
}

// OKLab (Ottosson 2020): equal steps of lightness look equal, whatever the hue.
function onScreen(lightness, chroma, hue) {
  const angle = hue * Math.PI / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
  ];
}

function along({lightness: [zero, end], tints}, t) {
  const place = t * (tints.length - 1);
  const i = Math.min(Math.floor(place), tints.length - 2);
  const [chroma, hue] = tints[i].map((part, k) => part + (place - i) * (tints[i + 1][k] - part));
  return onScreen(zero + t * (end - zero), chroma, hue);
}

/**
 * [red, green, blue] of a scale: 'weight' at 0 .. 1, or 'signed' at -1 .. 1, blue below zero and
 * amber above; theme: 'light' or 'dark'.
 */
export function colourAt(scale, value, theme) {
  const {weight, below, above} = themes[theme];
  if (scale === 'weight') return along(weight, value);
  return along(value < 0 ? below : above, Math.abs(value));
}
