// The numbers of each step of the story as a table: all tokens, also those the figure leaves out.

const numbered = (count, name) => Array.from({length: count}, (_, i) => `${name} ${i + 1}`);
const few = 16;  // numbers of a vector, of which JSON holds all

function vectors(facts, most, matrix, name, lead = () => [], leadNames = []) {
  const count = matrix ? Math.min(most, matrix.columns) : 0;
  return {
    columns: ['token', ...leadNames, ...numbered(count, name)],
    rows: facts.names.map(
        (label, i) => [label, ...lead(i), ...(matrix ? matrix.row(i).subarray(0, count) : [])]),
  };
}

const tables = {
  tokens: (facts, most) =>
      vectors(facts, most, facts.embedding, 'number', (i) => [facts.tokens[i].id], ['entry']),
  positions(facts, most) {
    if (facts.spec.position === 'alibi')
      return {
        columns: ['token', 'taken off the score'],
        rows: facts.names.map(
            (name, i) =>
                [name, facts.hidden(i) ? 'hidden' : facts.cost * Math.abs(i - facts.chosen)])
      };
    return vectors(facts, most, facts.position, 'added', (i) => [i + facts.first], ['place']);
  },
  query: (facts) => ({
    columns: ['key', ...(facts.scores ? ['score'] : []), 'weight'],
    rows: facts.names.map(
        (name, i) =>
            [name, ...(facts.scores ? [facts.hidden(i) ? 'hidden' : facts.scores[i]] : []),
             facts.weights[i]]),
  }),
  weights: (facts) => ({
    columns: ['token', 'weight'],
    rows:
        facts.names.map((name, i) => [name, (facts.recurrent ? facts.crossRow : facts.weights)[i]]),
  }),
  values(facts, most) {
    const table = vectors(facts, most, facts.value, 'value', (i) => [facts.weights[i]], ['weight']);
    if (facts.output) table.rows.push(['sum', 1, ...facts.output.slice(0, most)]);
    return table;
  },
  heads: (facts) => ({
    columns: ['token', ...facts.heads.map(({head}) => `head ${head + 1}`)],
    rows: facts.names.map((name, i) => [name, ...facts.headRows.map((row) => row[i])]),
  }),
  layers: (facts) => ({
    columns: [
      'token', 'share of the tokens',
      ...Array.from({length: facts.layers}, (_, i) => `share after layer ${i + 1}`)
    ],
    rows: facts.names.map((name, i) => [name, ...facts.back.shares.map((shares) => shares[i])]),
  }),
  chosen: (facts) => ({
    columns: ['token', 'part', 'weight or probability'],
    rows: [
      ...facts.names.map((name, i) => [name, 'source', facts.crossRow[i]]),
      ...facts.target.top.map(({label, p}) => [label, 'candidate', p]),
    ],
  }),
  reading: (facts) =>
      ({columns: ['token', 'place'], rows: facts.names.map((name, i) => [name, i + facts.first])}),
};

export const tableOf = (step, facts, most = few) => tables[step](facts, most);
