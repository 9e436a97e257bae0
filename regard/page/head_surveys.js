// What heads do over several sentences of a model; without that, their tags are of one sentence.

export class HeadSurveys {
  /** refused(error): called where the server has them but does not send them. */
  constructor(source, refused) {
    Object.assign(this, {source, refused});
    this.known = new Map();  // of a model: promise of its heads
  }

  /** The heads of a model with their tags; none where there is nothing to judge them by. */
  async of({name, examples = []}) {
    if (examples.length === 0 && this.source.live) return [];
    if (!this.known.has(name))
      this.known.set(name, this.source.heads(name).catch((error) => {
        this.known.delete(name);
        if (error.status !== 404) this.refused(error);
        return {heads: []};
      }));
    return (await this.known.get(name)).heads;
  }
}
