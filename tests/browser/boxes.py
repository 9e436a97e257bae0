"""Measuring what is drawn: texts that lie over each other, or leave their frame."""

# Pairs of texts of a figure that overlap by more than a pixel; hidden ones and those scrolled away do not count.
OVERLAPS = """root => {
  const frame = root.getBoundingClientRect();
  const boxes = [...root.querySelectorAll('text, p b, p span, li, dt, dd')]
    .filter(each => each.textContent.trim() && !each.querySelector('text'))
    .map(each => ({text: each.textContent, box: each.getBoundingClientRect(), each}))
    .filter(({box}) => box.width > 0 && box.left < frame.right && box.right > frame.left);
  const found = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
    if (a.each.contains(b.each) || b.each.contains(a.each)) return;
    const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (across > 1 && down > 3) found.push([a.text, b.text, across, down]);
  }));
  return found;
}"""

# Texts of drawings that reach out of them.
OUTSIDE = """all => all.flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(each => {
    const box = each.getBoundingClientRect();
    return box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
  }).map(each => each.textContent);
})"""


def overlaps(page, selector):
    return [pair for i in range(page.locator(selector).count()) for pair in page.locator(selector).nth(i).evaluate(OVERLAPS)]


def outside(page, selector):
    return page.eval_on_selector_all(selector, OUTSIDE)
