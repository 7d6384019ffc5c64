/** Signals that a person interrupted a start. */
class BrokenOff extends Error {}

/** Collects everything that a start has opened, so that it can be closed at any time. */
export class Opened {
  #closers: (() => Promise<unknown>)[] = [];
  #ending = false;

  /** True while it is being closed: later failures don't matter. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Registers a close that runs at the end, before those registered earlier. */
  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /**
   * Announces a step, and its completion.
   * @throws during closing
   */
  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const started = Date.now();
    process.stdout.write(`  ${what} …`);
    const result = await work();
    if (this.#ending) throw new BrokenOff();
    console.log(` ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return result;
  }

  /**
   * Closes everything. A running step ends: its resources are closed, or it is awaited and its results are closed too.
   * @param start opens things
   */
  async close(start: Promise<unknown>): Promise<void> {
    this.#ending = true;
    await this.#closeAll();
    await start.catch(() => undefined);
    await this.#closeAll();
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop())
      await close().catch(() => undefined);
  }
}
