// Where data comes from: the server that sent this page, or the page itself when it was saved with
// its data. The rest of the page cannot tell which.

import {rememberedKey} from './key_form.js';

/** In a header, which holds bytes, and never in the address: that ends up in histories and logs. */
function withKey(key) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return key ? {Authorization: `Bearer ${bytes}`} : {};
}

async function answer(path, {key = '', body} = {}) {
  const request = body === undefined ? {headers: withKey(key)} : {
    method: 'POST',
    headers: {...withKey(key), 'Content-Type': 'application/json'},
    body: JSON.stringify(body)
  };
  let response;
  try {
    response = await fetch(path, {...request, cache: 'no-store'});
  } catch {
    throw new Error('The server does not answer. Is regard serve still running?');
  }
  const data = await response.json().catch(() => ({}));
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
  const query = (values) => new URLSearchParams(values).toString();
  return {
    live: true,
    key: rememberedKey(),  // sent where the server may ask for one, if there is any
    model: () => answer('/v1/model'),
    inspect(body) { return answer('/v1/inspect', {key: this.key, body}); },
    alternatives(body) { return answer('/v1/alternatives', {key: this.key, body}); },
    translate(body) { return answer('/v1/translate', {key: this.key, body}); },
    positional(name, length) {
      return answer(`/v1/positional?${query({model: name, length})}`, {key: this.key});
    },
    weights(name, parameter, size) {
      return answer(`/v1/weights?${query({model: name, parameter, size})}`, {key: this.key});
    },
    heads(name) { return answer(`/v1/heads?${query({model: name})}`, {key: this.key}); },
    async runs() { return (await answer('/v1/runs', {key: this.key})).runs; },
    metrics(id, since) {
      return answer(
          `/v1/runs/${encodeURIComponent(id)}/metrics?${query({since})}`, {key: this.key});
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
