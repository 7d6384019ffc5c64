/** The largest width of a bar. */
const widest = 24;

/** The width of a step's name, so that the bars are aligned. */
const named = 24;

/** Milliseconds between two writes to a terminal. */
const often = 100;

export type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & {
  write(text: string): unknown;
};

/**
 * Shows the progress of a long task: on a terminal in one line with a bar, the rate and the time left; in a log with a
 * line for each finished step.
 */
export class Progress {
  readonly #output: Output;
  readonly #now: () => number;
  #step = '';
  #began = 0;
  #shown = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(output: Output = process.stderr, now = () => performance.now()) {
    this.#output = output;
    this.#now = now;
  }

  /**
   * @param step the current step; a new one ends the one before
   * @param done the finished part of `total`
   * @param unit the unit of `done`, in the plural
   */
  at(step: string, done: number, total: number, unit = 'rows'): void {
    const now = this.#now();
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
      this.#output.write(`${this.#step}: ${amount(done, unit)}\n`);
    }
  }

  end(): void {
    if (this.#step !== '' && this.#output.isTTY) this.#output.write('\n');
    this.#step = '';
  }

  /** It must be shorter than the terminal: a wrapped line can't be overwritten. */
  #line(done: number, total: number, unit: string, now: number): string {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const seconds = (now - this.#began) / 1000;
    const rate = done / seconds;
    const isDone = done >= total;
    const parts = [
      `${Math.floor(share * 100)} %`.padStart(5),
      amount(done, unit).padStart(13),
      ...(Number.isFinite(rate) ? [`${amount(Math.round(rate), unit)}/s`] : []),
      ...(isDone ? [clock(seconds)] : []),
      ...(!isDone && rate > 0 ? [`${clock((total - done) / rate)} left`] : []),
    ].join('  ');
    const name = this.#step.padEnd(named);
    const room = (this.#output.columns || 80) - 1;
    const width = Math.max(0, Math.min(widest, room - name.length - parts.length - 4));
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░');
    return [name, bar, parts].join('  ').slice(0, room);
  }
}

/** `1 row`, `28,500 rows`, `1.9 MB`. */
function amount(count: number, unit: string): string {
  if (unit === 'bytes' && count >= 1e6) return `${(count / 1e6).toFixed(1)} MB`;
  return `${count.toLocaleString('en')} ${count === 1 ? unit.replace(/s$/, '') : unit}`;
}

/** Formats seconds as minutes and seconds, `2:05`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
