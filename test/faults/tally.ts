/** Counts attempts and failures by kind, so that one failure doesn't hide others. */
export class Tally {
  readonly #kind: string;
  readonly #rows = new Map<string, { tried: number; failed: number }>();
  #failures: unknown[] = [];

  /** @param kind the kind of rows in the table */
  constructor(kind: string) {
    this.#kind = kind;
  }

  async count(name: string, attempt: () => Promise<void>): Promise<void> {
    const row = this.#rows.get(name) ?? { tried: 0, failed: 0 };
    this.#rows.set(name, row);
    row.tried += 1;
    try {
      await attempt();
    } catch (error) {
      row.failed += 1;
      this.#failures.push(error);
    }
  }

  /** @throws AggregateError with the failures since the last call */
  finish(name: string): void {
    const failures = this.#failures;
    this.#failures = [];
    if (failures.length > 0) throw new AggregateError(failures, `${name}: ${failures.join('\n')}`);
  }

  show(): void {
    const rows = [...this.#rows].map(([name, counts]) => ({ [this.#kind]: name, ...counts }));
    const total = (count: 'tried' | 'failed') => rows.reduce((sum, row) => sum + row[count], 0);
    console.table([
      ...rows,
      { [this.#kind]: 'in all', tried: total('tried'), failed: total('failed') },
    ]);
  }
}
