/** Says that a start was broken off by whoever asked for it. */
class BrokenOff extends Error {}

/** Collects everything that a start has opened, so that it can be closed at any moment. */
export class Opened {
  #closers: (() => Promise<unknown>)[] = [];
  #ending = false;

  /** True while it is being closed: later failures are of no interest. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Registers a close that runs at the end, before those of everything opened earlier. */
  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Says what is being done and, when it is done, that it is. @throws where it is being closed */
  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const started = Date.now();
    process.stdout.write(`  ${what} …`);
    const result = await work();
    if (this.#ending) throw new BrokenOff();
    console.log(` ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return result;
  }

  /**
   * Closes everything. A step that is under way ends: what it waits for is gone, or it is waited for
   * and what it opened is closed too.
   * @param start what opens things
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
