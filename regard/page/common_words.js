// What two lists of words have in common.

/** Of the longest list of words that both have in order: for each word of b its place in a, or -1. */
export function placesInCommon(a, b) {
  const longest = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 :
                                      Math.max(longest[i + 1][j], longest[i][j + 1]);
  const places = [];
  for (let i = 0, j = 0; j < b.length;) {
    if (i < a.length && a[i] === b[j]) {
      places.push(i++);
      ++j;
    } else if (i < a.length && longest[i + 1][j] >= longest[i][j + 1]) {
      ++i;
    } else {
      places.push(-1);
      ++j;
    }
  }
  return places;
}
