/**
 * Requests are judged in the order in which their heads arrived, though a signature can be checked only when the body is there and a
 * later request's body may be complete earlier: each waits for its predecessor of the same API key.
 */
export class ArrivalOrder {
  readonly #last = new Map<string, Promise<void>>();

  /** To be called when the head arrives; `judge` runs when `body` is there and all earlier requests of `lane` were judged. */
  enter<Body, Result>(lane: string, body: Promise<Body>, judge: (body: Body) => Result): Promise<Result> {
    const predecessor = this.#last.get(lane) ?? Promise.resolve();
    const judged = predecessor.then(() => body).then(judge);
    const done: Promise<void> = judged.then(ignore, ignore).then(() => {
      if (this.#last.get(lane) === done) this.#last.delete(lane);
    });
    this.#last.set(lane, done);
    return judged;
  }
}

const ignore = (): void => {};
