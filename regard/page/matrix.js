// Small matrices of weights, row major.

function bytes(text) {
  const characters = atob(text);
  const result = new Uint8Array(characters.length);
  for (let i = 0; i < result.length; ++i) result[i] = characters.charCodeAt(i);
  return result;
}

/** The numbers of a base64 text of little-endian f32. */
export function floats(text) {
  const raw = bytes(text);
  return new Float32Array(raw.buffer, 0, raw.length >> 2);
}

/** The whole numbers from 0 to below `count`. */
export const upTo = (count) => Array.from({length: count}, (_, i) => i);

export class Matrix {
  constructor(rows, columns, values = new Float32Array(rows * columns)) {
    this.rows = rows;
    this.columns = columns;
    this.values = values;
    this.seen = null;
    this.first = null;
  }

  /** Row i may see only the columns from first[i] to before seen[i]; no first: from the first. */
  masked(seen, first = null) {
    this.seen = seen;
    this.first = first;
    return this;
  }

  hidden(row, column) {
    return this.seen !== null && (column >= this.seen[row] || column < (this.first?.[row] ?? 0));
  }

  /** From {rows, cols, dtype, data} of the trace. Bytes are 255 times the weight, rounded. */
  static decoded({rows, cols, dtype, data}) {
    if (dtype === 'f32') return new Matrix(rows, cols, floats(data));
    const raw = bytes(data);
    const values = new Float32Array(raw.length);
    for (let i = 0; i < raw.length; ++i) values[i] = raw[i] / 255;
    return new Matrix(rows, cols, values);
  }

  at(row, column) { return this.values[row * this.columns + column]; }
  row(row) { return this.values.subarray(row * this.columns, (row + 1) * this.columns); }

  largest() {
    let most = 0;
    // By index: a for-of loop over an array of floats is several times slower.
    for (let i = 0; i < this.values.length; ++i)
      if (this.values[i] > most) most = this.values[i];
    return most;
  }

  /** Mean of the rows' entropies, in bits. */
  entropy() {
    let sum = 0;
    for (let i = 0; i < this.values.length; ++i)
      if (this.values[i] > 0) sum -= this.values[i] * Math.log2(this.values[i]);
    return sum / Math.max(1, this.rows);
  }

  /** The column of the largest weight of a row. */
  peak(row) {
    let best = 0;
    for (let column = 1; column < this.columns; ++column)
      if (this.at(row, column) > this.at(row, best)) best = column;
    return best;
  }

  /**
   * Tokens gathered into words: groups are lists of indices. Attention from a word is the mean of
   * what its tokens pay; attention to a word is the sum of what its tokens get. So rows still sum
   * to 1.
   */
  merged(rowGroups, columnGroups) {
    const result = new Matrix(rowGroups.length, columnGroups.length);
    rowGroups.forEach((rows, i) => {
      const sums = result.row(i);
      for (const row of rows)
        columnGroups.forEach((columns, j) => {
          for (const column of columns) sums[j] += this.at(row, column) / rows.length;
        });
    });
    if (!this.seen) return result;
    const reach = (rows) => Math.max(...rows.map((row) => this.seen[row]));
    const begin = (rows) => Math.min(...rows.map((row) => this.first[row]));
    return result.masked(
        rowGroups.map((rows) => columnGroups.filter(([first]) => first < reach(rows)).length),
        this.first &&
            rowGroups.map(
                (rows) => columnGroups.filter((all) => all.at(-1) < begin(rows)).length));
  }

  /** Each row made to sum to 1 again; a row of zeros stays. */
  normalised() {
    const result = new Matrix(this.rows, this.columns, this.values.slice());
    result.masked(this.seen, this.first);
    for (let row = 0; row < this.rows; ++row) {
      const values = result.row(row);
      const sum = values.reduce((total, value) => total + value, 0);
      if (sum > 0)
        for (let i = 0; i < values.length; ++i) values[i] /= sum;
    }
    return result;
  }

  /** No side longer than `most`: each cell the largest of the block it stands for. */
  pooled(most) {
    const block = Math.ceil(Math.max(this.rows, this.columns) / most);
    if (block <= 1) return this;
    const result = new Matrix(Math.ceil(this.rows / block), Math.ceil(this.columns / block));
    for (let row = 0; row < this.rows; ++row)
      for (let column = 0; column < this.columns; ++column) {
        const place = Math.floor(row / block) * result.columns + Math.floor(column / block);
        result.values[place] = Math.max(result.values[place], this.at(row, column));
      }
    if (!this.seen) return result;
    const blocks = (edges, edge) => Array.from(
        {length: result.rows}, (_, row) => edge(edges.slice(row * block, (row + 1) * block)));
    return result.masked(
        blocks(this.seen, (edges) => Math.ceil(Math.max(...edges) / block)),
        this.first && blocks(this.first, (edges) => Math.floor(Math.min(...edges) / block)));
  }

  static mean(matrices) {
    const result = new Matrix(matrices[0].rows, matrices[0].columns);
    for (const matrix of matrices)
      matrix.values.forEach((value, i) => {
        result.values[i] += value / matrices.length;
      });
    return result;
  }
}
