// The word that is pointed at, in whichever pane or figure, and its partners everywhere.

/** Listeners are told (side, index, partners): side 0 is the source; nothing: none is pointed at. */
export class Lights {
  constructor(app) {
    this.app = app;
    this.links = null;
    this.listeners = [];
    this.held = [];  // shown while nothing is pointed at
  }

  /** Keeps a word lit; nothing: none. */
  hold(...held) {
    this.held = held;
    this.point();
  }

  /** links: what joins whole words, {weights [targets, sources]}, as a trace gives it. */
  follow(links) {
    this.links = links;
    this.held = [];
    this.point();
  }

  listen(listener) { this.listeners.push(listener); }

  /** The words on the other side that are joined with this one. */
  partners(side, index) {
    const {weights} = this.links;
    const size = side === 1 ? weights.columns : weights.rows;
    const weight = (i) => side === 1 ? weights.at(index, i) : weights.at(i, index);
    return Array.from({length: size}, (_, i) => i)
        .filter((i) => weight(i) >= this.app.state.least);
  }

  point(...place) {
    const [side, index] = place.length ? place : this.held;
    const any = this.links !== null && side !== undefined;
    for (const listener of this.listeners)
      any ? listener(side, index, this.partners(side, index)) : listener();
  }
}
