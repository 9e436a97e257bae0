// Which model translates, and from what to what: in the bar, a menu where there are several.

import {choice, make} from './dom.js';
import {readsPictures} from './model_views.js';
import {headsNamed} from './own_settings.js';
import {short} from './wording.js';

/** English → French; the codes where a language has no name, nothing where there are none. */
export function languages(model) {
  if (readsPictures(model)) return `pictures → ${model.toName || model.to || 'words'}`;
  const [from, to] = [model.fromName || model.from, model.toName || model.to];
  return from || to ? `${from || '?'} → ${to || '?'}` : '';
}

/** What the model is made of, in a line. */
function modelFacts({parameters, recurrent, spec = {}}) {
  const layers = spec.encoder_layers ?
      `, ${recurrent ? 'recurrent, ' : ''}${spec.encoder_layers}+${spec.decoder_layers} layers, ${
          recurrent ? '1 head' : headsNamed(spec)}` :
      '';
  return `${short(parameters)} parameters${layers}`;
}

/** What chooses a model; a text in another language makes way for its example. */
export function choosing(app, name) {
  const next = app.models.find((model) => model.name === name);
  const same = next.from === app.model.from;
  return {model: name, prefix: '', ...(same ? {} : {q: '', sentence: 0})};
}

export function showModel(app, holder) {
  const {models, model} = app;
  holder.title = `${model.name}: ${modelFacts(model)}`;
  const text = (each) => [each.name, languages(each)].filter(Boolean).join('  ');
  holder.replaceChildren(
      ...(models.length > 1 ?
              [choice(
                  models.map((each) => [each.name, text(each)]), model.name,
                  (name) => app.set(choosing(app, name)), 'Model')] :
              [make('b', {}, model.name), make('span', {}, languages(model))]));
}
