// Requests that take each other's place: what is asked next gives up what was asked before.

export class Turn {
  /** The signal of a new request; the one before is aborted. */
  next() {
    this.end();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  /** Nobody waits for the answer any more. */
  end() { this.controller?.abort(); }
}
