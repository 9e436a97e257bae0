// The words of the story, each sentence written from the translation at hand. A paragraph is a list
// of texts and terms; a term is what the step is about.

import {lastWords} from './shortening.js';
import {order, repeated} from './story_data.js';
import {number} from './story_marks.js';
import {capital, cutWord, headOf, headsSentence, listed, other, quoted, reach, spelled, strongest, term, view, windowed} from './story_phrases.js';
import {brief, count, percent, several} from './wording.js';

const signs = 'Amber is above zero, blue below.';

function tokens(facts) {
  const {spec, vocabulary, embedding, tableScale} = facts;
  const pieces = cutWord(facts);
  const unknown = facts.tokens.some(({text}) => text === '<unk>');
  const kind = vocabulary.kind === 'words' ?
      ` Here each is a word or a mark${
          unknown ? ', and what the vocabulary lacks is <unk>' : ''}.` :
      pieces ? ` Frequent words are one token; ${quoted(pieces.join(''))} is cut into ${
                   listed(pieces.map(quoted))}.` :
               ' Here each is a word or a mark; a rare word would be cut into pieces.';
  const size = vocabulary.source || spec.source_vocabulary;
  const width = embedding ? embedding.columns : spec.d_model || spec.width;
  const [same] = repeated(facts);
  const compare = same ?
      ` Compare the ${same.length === 2 ? 'two' : spelled(same.length)} rows of ${
          quoted(facts.names[same[0]])}: the same.` :
      new Set(facts.tokens.map(({id}) => id)).size === facts.tokens.length ?
      ' No token occurs twice here; if one did, its rows would be the same.' :
      '';
  return {
    title: 'Words become numbers',
    say: [
      [
        'The sentence is cut into ', term('tokens'),
        `: ${count(facts.tokens.length)} with the end.${kind}`
      ],
      [`Each is one entry of a vocabulary${size ? ` of ${count(size)}` : ''}, by its number. ` +
       `The entry is a row of ${count(width)} numbers, learned in training.`],
    ],
    note: embedding ?
        [signs + compare +
         (tableScale !== 1 ? ` Shown times ${brief(tableScale)}, as the first layer gets them.` :
                             '')] :
        facts.pending ? [] :
                        [`The rows themselves are not in ${
                            facts.app.source.live ? 'the answer of this server' : 'this file'}.`],
  };
}

/** How far the farthest token is that the chosen one sees. */
const farthest = ({tokens, chosen, hidden}) =>
    Math.max(...tokens.map((_, i) => hidden(i) ? 0 : Math.abs(i - chosen)));

function positions(facts) {
  const {spec} = facts;
  if (spec.position === 'rotary')
    return {
      title: 'Order turns the vectors',
      say: [
        [
          'Nothing is added to the rows here. Positions are ', term('rotary'),
          ': inside attention, each query and key is turned, two numbers at a time, by an angle that grows with its place.'
        ],
        [
          'Two tokens that are equally far apart are turned apart equally, wherever they are. So a score depends on distance.'
        ],
      ],
      note: [
        'The first pairs turn fast, the last ones slowly. See ', view('positions', 'Positions'), '.'
      ],
    };
  if (spec.position === 'alibi')
    return {
      title: 'Distance counts',
      say: [
        [
          'Nothing is added to the rows here. Positions are ', term('ALiBi'),
          ': inside attention, a key loses score for each place between it and the query.'
        ],
        [`In layer 1, head ${facts.entry.head + 1}, each place costs ${brief(facts.cost)}. For ${
            quoted(facts.name)}, the farthest token ${
            facts.seen < facts.tokens.length ? 'in its window ' : ''}loses ${
            brief(facts.cost * farthest(facts))}.`],
      ],
      note: ['Each head has its own cost per place. See ', view('positions', 'Positions'), '.'],
    };
  if (spec.position === 'none')
    return {
      title: 'No order is added',
      say: [
        [
          'This model has no ', term('positions'),
          spec.window > 0 ? `. In its encoder a token sees those at most ${
                                several(spec.window, 'token')} away.` :
                            ': its encoder gets the tokens as a set.'
        ],
        [spec.window > 0 ? 'That tells near from far, but not before from after.' :
                           'If the words changed places, each would get the same result as before.'],
      ],
      note: ['Other models add a pattern for each place.'],
    };
  const [same] = repeated(facts);
  const name = same && quoted(facts.names[same[0]]);
  return {
    title: 'Order is added',
    say: [
      [
        same ? `So far nothing tells one ${name} from another.` :
               'So far nothing tells which token comes first.',
        ' So each place has a pattern of its own, a ', term('position'),
        spec.position === 'learned' ? ', learned in training.' : ': waves, some short, some long.'
      ],
      [`It is added to the row of the token, number by number.${
          same ? ` Now the rows of ${name} differ.` : ''}`],
    ],
    note: [
      'All three in the same colours. See ', view('positions', 'Positions'),
      ' for the patterns alone.'
    ],
  };
}

function query(facts) {
  const {vectors, scores, spec} = facts;
  const first = [
    'Take ', quoted(facts.name), '. From its row the first layer makes a ', term('query'),
    ': what this token looks for.'
  ];
  if (!vectors) {
    const dot = !spec.attention || spec.attention.endsWith('dot');
    return {
      title: 'Query and key',
      say: [
        first,
        [
          'From each row it makes a ', term('key'),
          `: what the token is found by. Each key gets a score${
              dot ? ', its dot product with the query.' :
                    `, by the rule “${spec.attention}”, which is no dot product.`}`
        ]
      ],
      note: [[`${headOf(facts)}.`, windowed(facts)].filter(Boolean).join(' ')],
    };
  }
  const best = order(scores)[0];
  const scale = Math.abs(vectors.scale * Math.sqrt(vectors.width) - 1) < 1e-3 ?
      `divided by √${vectors.width}` :
      Math.abs(vectors.scale - 1) < 1e-6 ? '' :
                                           `times ${brief(vectors.scale)}`;
  const more = [
    `${headOf(facts)}. The score is the sum of the products${scale ? `, ${scale}` : ''}.`,
    windowed(facts),
    facts.cost > 0 ? 'Distance has been taken off.' : '',
    spec.pre_norm ? 'The rows are normalised first.' : '',
    facts.agrees ? '' : 'The weights count something more, which this model adds to its scores.',
  ];
  return {
    title: 'Query and key',
    say: [
      first,
      [
        'From each row it makes a ', term('key'),
        ': what the token is found by. The more query and key point the same way, the higher the score.'
      ],
      [best === facts.chosen ?
           `Its own key scores highest: ${number(scores[best], 2)}.` :
           `The key of ${quoted(facts.names[best])} scores highest: ${number(scores[best], 2)}.`],
    ],
    note: [more.filter(Boolean).join(' ')],
  };
}

function weights(facts) {
  return {
    title: 'Scores become weights',
    say: [
      [
        'Softmax turns the scores into ', term('weights'),
        ': all positive, together 1. A score higher by 1 gives 2.7 times the weight.'
      ],
      [
        strongest(facts, facts.weights),
        ` The weight is spread over ${reach(facts.weights)} of ${
            facts.seen < facts.tokens.length ? `the ${several(facts.seen, 'token')} in its window` :
                                               several(facts.tokens.length, 'token')}.`
      ],
    ],
    note: [`${headOf(facts)}. Pictures of attention on this page show such weights.`],
  };
}

function values(facts) {
  const [first] = order(facts.weights);
  const width = facts.value ? ` of ${facts.value.columns} numbers` : '';
  return {
    title: 'Values are mixed',
    say: [
      [
        'From each row the head also makes a ', term('value'), `${width}: what the token passes on.`
      ],
      [`The values are multiplied by their weights and added up. The sum is the head’s output for ${
          quoted(facts.name)}; ${percent(facts.weights[first])} of the weight is on ${
          other(facts, first)}.`],
    ],
    note:
        [facts.value || facts.pending ?
             'In the encoder, nothing but attention moves information from token to token.' :
             `The values are not in ${
                 facts.app.source.live ? 'the answer of this server' : 'this file'}.`],
  };
}

function heads(facts) {
  const {heads: {length: number}, spec} = facts;
  if (number === 1)
    return {
      title: 'One head',
      say: [
        [
          'Each layer of this model has one ', term('head'),
          ', so this is all its attention. Most models have several, each with queries, keys and values of its own.'
        ],
        [`Its output passes through one more matrix and is added to the row of ${
            quoted(facts.name)}.`],
      ],
      note: ['Layer 1.'],
    };
  const shared = spec.kv_heads > 0 && spec.kv_heads < number;
  return {
    title: `${capital(spelled(number))} heads side by side`,
    say: [
      [
        `Layer 1 does this ${spelled(number)} times at once, with ${spelled(number)} `,
        term('heads'),
        shared ? `: each has its own queries; ${
                     several(spec.kv_heads, 'set')} of keys and values serve them all.` :
                 ', each with queries, keys and values of its own.'
      ],
      [headsSentence(facts)],
    ],
    note: [
      `Their outputs are set side by side, pass through one more matrix, and are added to the row${
          spec.pre_norm ? '' : ', which is then normalised'}.`
    ],
  };
}

function layers(facts) {
  const {layers: number, back, spec} = facts;
  const shares = back.shares[0];
  const [first, second] = order(shares.map((share, i) => i === facts.chosen ? -1 : share));
  const rest = [first, second]
                   .filter((i) => i !== undefined && i !== facts.chosen && shares[i] > 0)
                   .map((i) => `${percent(shares[i])} to ${quoted(facts.names[i])}`);
  const feed = `a feed-forward network${spec.d_hidden ? ` of ${count(spec.d_hidden)} units` : ''}`;
  const traced = `Followed back, ${percent(shares[facts.chosen])} of the row of ${
      quoted(
          facts.name)} goes to its own token${rest.length > 0 ? `, ${rest.join(' and ')}` : ''}.`;
  return {
    title: number === 1 ? 'One layer' : 'Layer upon layer',
    say: [
      number === 1 ?
          [
            'The encoder of this model has one ', term('layer'),
            `. After attention, each row passes through ${feed}.`
          ] :
          [
            `${capital(spelled(number))} `, term('layers'),
            ` do the same, each with the rows that the one before has left. After attention, each row passes through ${
                feed}.`
          ],
      [traced],
    ],
    note: [
      `An estimate (attention rollout): the mean of each layer’s heads, half of each row counted as kept. Thin lines are left out.`
    ],
  };
}

function chosenWord(facts) {
  const {target, vocabulary, spec, crossRow} = facts;
  const [best] = order(crossRow);
  const size = vocabulary.target || spec.target_vocabulary;
  const likeliest = target.top[0];
  const named = `${quoted(target.label)}${
      target.whole ? `, the first piece of ${quoted(target.whole)},` : ''}`;
  const highest = likeliest && likeliest.id !== target.id ?
      `; the highest, ${percent(likeliest.p)}, is of ${quoted(likeliest.label)}` :
      '';
  const made = facts.given ? 'been given' : 'generated';
  const taken = facts.given ?
      `${named} has ${percent(target.probability)}: given, not searched for${highest}.` :
      target.forced ?
      `${quoted(target.label)}, ${percent(target.probability)}, was chosen by you.` :
      !likeliest || likeliest.id === target.id ?
      `${named} has the highest, ${percent(target.probability)}, and is generated.` :
      `${quoted(likeliest.label)} has the highest, ${percent(likeliest.p)}; the search took ${
          quoted(target.label)}, ${
          percent(target.probability)}, since the whole translation scores higher with it.`;
  return {
    title: `${target.end ? 'The end' : 'A word'} is ${facts.given ? 'scored' : 'chosen'}`,
    say: [
      [
        target.before ? `The decoder has ${made} ${quoted(lastWords(target.before, 90))}.` :
                        `The decoder has ${made} nothing yet.`,
        target.before && !facts.recurrent ? ' It attends to these words and, by ' :
                                            ' It attends to the source by ',
        term('cross-attention'), target.before && !facts.recurrent ? ', to the source' : '',
        `: most weight is on ${quoted(facts.names[best])}, ${percent(crossRow[best])}.`
      ],
      [
        `Each ${size ? `of the ${count(size)} tokens` : 'token'} of the vocabulary gets a `,
        term('probability'), `. ${taken}`,
        target.end ? ' The translation is complete.' :
                     ' Then the same begins again, with one token more.'
      ],
    ],
    note: [
      `Lines: ${
          facts.recurrent ?
              'the weights of its one head' :
              facts.crossHeads === 1 ?
              `layer ${facts.crossLayers}` :
              `mean of the ${facts.crossHeads} heads of layer ${facts.crossLayers}`}.`,
      ...(facts.app.source.live && !facts.given ?
              [' Click a word in ', view('translate', 'Translate'), ' to choose another.'] :
              [])
    ],
  };
}

function reading({spec, tokens: {length}}) {
  return {
    title: 'Read in order',
    say: [
      [
        'This model is ', term('recurrent'),
        `: it reads one token after another and carries a state${
            spec.d_hidden ? ` of ${count(spec.d_hidden)} numbers` :
                            ''} along. So order needs no positions.`
      ],
      [`Each state along the way is kept: ${count(length)} rows, one per token.`],
    ],
    note: [
      'Its encoder has no attention: the steps on queries, keys, heads and layers of a Transformer do not apply.'
    ],
  };
}

function lookingBack(facts) {
  const {crossRow, target, spec} = facts;
  const [best] = order(crossRow);
  const rule = spec.attention === 'additive' ?
      'a small network scores each kept row against the decoder’s state' :
      'each kept row is scored against the decoder’s state';
  return {
    title: 'Weights over the source',
    say: [
      [
        `Before ${quoted(target.label)} is ${facts.given ? 'scored' : 'generated'}, ${rule}. Softmax turns the scores into `,
        term('weights'), ': all positive, together 1.'
      ],
      [
        `Most is on ${quoted(facts.names[best])}, ${
            percent(
                crossRow
                    [best])}. The rows are added up by these weights, and the sum goes into the next state.`
      ],
    ],
    note: [`One head. ${quoted(target.label)} is where ${
        quoted(facts.name)} matters most in the translation.`],
  };
}

const transformer = [
  ['tokens', tokens], ['positions', positions], ['query', query], ['weights', weights],
  ['values', values], ['heads', heads], ['layers', layers], ['chosen', chosenWord]
];
const recurrent =
    [['tokens', tokens], ['reading', reading], ['weights', lookingBack], ['chosen', chosenWord]];

/** The steps of a translation: [name of the columns, words(facts) -> {title, say, note}]. */
export const stepsOf = (facts) => facts.recurrent ? recurrent : transformer;
