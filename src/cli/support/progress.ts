const width = 24;

/** How often a terminal is written to, in milliseconds. */
const often = 100;

/**
 * Shows how far a long task is: on a terminal in one line with a bar, how many a second and the time left; elsewhere,
 * as in a log, a line for each step when it is done.
 */
export class Progress {
  readonly #output: NodeJS.WriteStream;
  #step = '';
  #began = 0;
  #shown = 0;

  constructor(output: NodeJS.WriteStream = process.stderr) {
    this.#output = output;
  }

  /**
   * @param step what is being done; another one than before ends that
   * @param done how much of it, of `total`
   * @param unit what `done` counts, in the plural
   */
  at(step: string, done: number, total: number, unit = 'rows'): void {
    const now = performance.now();
    if (step !== this.#step) {
      this.end();
      [this.#step, this.#began, this.#shown] = [step, now, 0];
    }
    const isDone = done >= total;
    if (this.#output.isTTY) {
      if (!isDone && now - this.#shown < often) return;
      this.#shown = now;
      this.#output.write(`\r\x1b[K${this.#line(done, total, unit, now)}`);
    } else if (isDone && this.#shown === 0) {
      this.#shown = now;
      this.#output.write(`${this.#step}: ${done.toLocaleString('en')} ${unit}\n`);
    }
  }

  /** Ends the line of the last step. */
  end(): void {
    if (this.#step !== '' && this.#output.isTTY) this.#output.write('\n');
    this.#step = '';
  }

  #line(done: number, total: number, unit: string, now: number): string {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░');
    const seconds = (now - this.#began) / 1000;
    const rate = seconds > 0 ? done / seconds : 0;
    const left = rate > 0 ? Math.max(0, total - done) / rate : 0;
    const parts = [
      this.#step.padEnd(18),
      bar,
      `${Math.floor(share * 100)} %`.padStart(5),
      `${done.toLocaleString('en')} ${unit}`,
      `${Math.round(rate).toLocaleString('en')}/s`,
      ...(done < total ? [`${clock(left)} left`] : [clock(seconds)]),
    ];
    return parts.join('  ');
  }
}

/** Seconds as minutes and seconds, `2:05`. */
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`;
