"""Colours of numbers: those of the command line, and in the dark as even. covers SV22"""

import pathlib

import pytest

PALETTE = pathlib.Path(__file__).resolve().parents[1] / "viewer" / "palette.txt"  # tests/viewer holds the command line to it
SHADES = """async ([scale, theme]) => {
  const {colourAt} = await import('/page/palette.js');
  return Array.from({length: 256}, (_, i) => colourAt(scale, scale === 'weight' ? i / 255 : 2 * i / 255 - 1, theme));
}"""
# What figures are painted with.
PAINTED = """async (scale) => {
  const {picture} = await import('/page/colour.js');
  const {Matrix} = await import('/page/matrix.js');
  const values = Float32Array.from({length: 256}, (_, i) => i / 255);
  const {data} = picture(new Matrix(1, 256, values), 1, 0, scale);
  return Array.from({length: 256}, (_, i) => [...data.slice(4 * i, 4 * i + 3)]);
}"""


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour):
    return 116 * luminance(colour) ** (1 / 3) - 16


@pytest.mark.parametrize("scale", ["weight", "signed"])
def test_light_colours_are_those_of_the_command_line(visit, scale):
    page = visit.open("#view=heads")
    wanted = [line.split()[scale == "signed"] for line in PALETTE.read_text().splitlines()]
    assert len(wanted) == 256
    for shades in (page.evaluate(SHADES, [scale, "light"]), page.evaluate(PAINTED, scale)):
        assert ["#%02x%02x%02x" % tuple(shade) for shade in shades] == wanted


@pytest.mark.parametrize("scale", ["weight", "signed"])
def test_dark_colours_are_brighter_for_more_and_bear_black_or_white(visit, scale):
    shades = visit.open("#view=heads").evaluate(SHADES, [scale, "dark"])
    sides = [shades] if scale == "weight" else [shades[127::-1], shades[128:]]
    for side in sides:
        steps = [lightness(after) - lightness(before) for before, after in zip(side[::15], side[15::15])]
        assert min(steps) > 0 and max(steps) / min(steps) < 2, steps
    for shade in shades:
        behind = luminance(shade) + 0.05
        assert max(1.05 / behind, behind / 0.05) > 4.5, shade
