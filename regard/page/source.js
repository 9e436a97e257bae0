// Where data comes from: the server that sent this page, or the page itself when it was saved with
// its data. The rest of the page cannot tell which.

import {rememberedKey} from './key_form.js';

/** In a header, which holds bytes, and never in the address: that ends up in histories and logs. */
function withKey(key) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return key ? {Authorization: `Bearer ${bytes}`} : {};
}

/** An aborted request throws the reason of its signal, whatever else happens to it. */
async function answer(path, {key = '', body, type = 'application/json', signal} = {}) {
  const request = body === undefined ? {headers: withKey(key)} : {
    method: 'POST',
    headers: {...withKey(key), 'Content-Type': type},
    body: type === 'application/json' ? JSON.stringify(body) : body
  };
  let response;
  try {
    response = await fetch(path, {...request, signal, cache: 'no-store'});
  } catch {
    signal?.throwIfAborted();
    throw new Error('The server does not answer. Is regard serve still running?');
  }
  const data = await response.json().catch(() => ({}));
  signal?.throwIfAborted();
  if (!response.ok) {
    const wrong = data.error;
    const text =
        String((wrong && wrong.message) || wrong || `The server answered ${response.status}.`);
    const wantsKey = [400, 403].includes(response.status) && text.includes('API key');
    throw Object.assign(new Error(text), {wantsKey, status: response.status});
  }
  return data;
}

function server() {
  return {
    live: true,
    key: rememberedKey(),  // sent where the server may ask for one, if there is any
    model() { return answer('/v1/model', {key: this.key}); },
    post(path, body, signal) { return answer(path, {key: this.key, body, signal}); },
    get(path, values, signal) {
      return answer(`${path}?${new URLSearchParams(values)}`, {key: this.key, signal});
    },
    inspect(body, signal) { return this.post('/v1/inspect', body, signal); },
    alternatives(body, signal) { return this.post('/v1/alternatives', body, signal); },
    translate(body, signal) { return this.post('/v1/translate', body, signal); },
    /** png: its bytes; values: model, beam, length_penalty. */
    caption(png, values, signal) {
      const path = `/v1/caption?${new URLSearchParams(values)}`;
      return answer(path, {key: this.key, body: png, type: 'image/png', signal});
    },
    positional(model, length, signal) { return this.get('/v1/positional', {model, length}, signal); },
    weights(model, parameter, size, signal) {
      return this.get('/v1/weights', {model, parameter, size}, signal);
    },
    heads(model) { return this.get('/v1/heads', {model}); },
    async runs(signal) { return (await answer('/v1/runs', {key: this.key, signal})).runs; },
    metrics(id, since, signal) {
      return this.get(`/v1/runs/${encodeURIComponent(id)}/metrics`, {since}, signal);
    },
  };
}

function saved(data) {
  const runs = data.runs || [];
  return {
    live: false,
    model: async () => data.model || {models: []},
    inspect: async () => data.trace,
    positional: async () =>
        data.positional || {rows: 0, note: 'This file was saved without positions.'},
    heads: async () => data.heads || {heads: []},
    runs: async () => runs.map((run) => ({id: run.id, state: 'finished', finished: true, lines: run.lines.length})),
    metrics: async (id, since) => {
      const lines = (runs.find((run) => run.id === id) || {lines: []}).lines;
      return {lines: lines.slice(since), next: lines.length};
    },
  };
}

/** The source of this page. */
export function openSource() {
  const inline = document.getElementById('regard-data');
  return inline ? saved(JSON.parse(inline.textContent)) : server();
}
