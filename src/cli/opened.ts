/** Signals that a person interrupted a start. */
class BrokenOff extends Error {}

/** Collects what a start has opened, so that it can be closed at any time. */
export class Opened {
  #closers: (() => Promise<unknown>)[] = [];
  #ending = false;

  /** True while closing: failures no longer matter. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Registers a function that runs at the end, before those registered earlier. */
  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /**
   * Prints a step and its time.
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

  /** Closes everything at once, and whatever the start has opened meanwhile once it has ended. */
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
