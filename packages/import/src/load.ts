import { type Client, DatabaseError } from 'pg';
import {
  type importKinds,
  type Instant,
  raiseSequences,
  withSessionLock,
} from '../../../src/exports/store.ts';
import type { Importer, Preflight, Step } from './importer.ts';
import { findBegun, noted, refuseOther } from './begun.ts';
import { type MappedRow, mapped } from './mapped.ts';
import { noteMentions } from './mentions.ts';
import { Numbers } from './numbers.ts';
import { countOf, withoutOwnIds } from './own-ids.ts';
import { refuseOwnRows } from './own-rows.ts';
import { writeRows } from './rows.ts';
import type { Source } from './source.ts';
import type { EntityRow, Staging } from './staging.ts';

/**
 * The source rows of a transaction. More are slower: until the commit, each update of a counter leaves a row version
 * behind.
 */
const batchSize = 500;

type LoadedPreflight<C> = Pick<Preflight<C>, 'plan' | 'answers'>;

export interface LoadOptions {
  readonly progress?: (entity: string, done: number, total: number) => void;
  /** Is called if another import runs. */
  readonly waiting?: () => void;
}

/**
 * Writes an importer's rows. An interrupted run continues: it maps from the beginning, skips written rows, and ends
 * with the same rows, by the same answers. Only one runs at a time: others, which would take written rows for refused
 * ones, wait. Rows have no effects such as events or messages.
 * @throws Error if the store has rows of another origin, or that follow other answers or are of another version
 */
export async function load<S extends Source, C>(
  client: Client,
  importer: Importer<S, C>,
  staging: Staging<S>,
  preflight: LoadedPreflight<C>,
  options: LoadOptions = {},
): Promise<void> {
  const waiting = () => options.waiting?.();
  await withSessionLock(client, 'imports', waiting, () =>
    loadAlone(client, importer, staging, preflight, options),
  );
}

async function loadAlone<S extends Source, C>(
  client: Client,
  importer: Importer<S, C>,
  staging: Staging<S>,
  { plan, answers }: LoadedPreflight<C>,
  { progress }: LoadOptions,
): Promise<void> {
  const run = new Run(client, importer.source.name as Kind, staging, answers);
  const now = await run.begin();
  const numbers = new Numbers();
  noteMentions(staging, importer.mentions ?? [], numbers);
  for (const step of importer.steps) {
    const lost = withoutOwnIds(staging, step.ids);
    const total = lost.length + (step.count?.(staging) ?? countOf(staging, step.ids));
    const all = chained(lost, step.map({ staging, numbers, plan, now }));
    await run.step(step, now, all, (done) => progress?.(step.entity, done, total));
  }
  await settle(client);
  await raiseSequences(client, numbers.highest);
  await client.query('analyze');
}

function* chained(...parts: readonly Iterable<MappedRow>[]): Generator<MappedRow> {
  for (const part of parts) yield* part;
}

type Kind = (typeof importKinds)[number];

class Run<S extends Source> {
  readonly #client: Client;
  readonly #kind: Kind;
  readonly #staging: Staging<S>;
  readonly #answers: Preflight<unknown>['answers'];

  constructor(
    client: Client,
    kind: Kind,
    staging: Staging<S>,
    answers: Preflight<unknown>['answers'],
  ) {
    this.#client = client;
    this.#kind = kind;
    this.#staging = staging;
    this.#answers = answers;
  }

  /** @returns the start of the first run */
  async begin(): Promise<Instant> {
    const begun = (await findBegun(this.#client)).get(this.#staging.fingerprint);
    if (begun) {
      refuseOther(begun, this.#kind, this.#answers);
      return begun.startedAt.toISOString();
    }
    await refuseOwnRows(this.#client);
    const { rows } = await this.#client.query<{ now: Date }>('select now()');
    const [{ now }] = rows as [(typeof rows)[number]];
    return now.toISOString();
  }

  async step<C>(
    { entity }: Step<S, C>,
    startedAt: Instant,
    all: Iterable<MappedRow>,
    heard: (done: number) => void,
  ): Promise<void> {
    const { rows } = await this.#client.query<{ done: string }>(
      `insert into imports (fingerprint, entity, kind, done, started_at)
       values ($1, $2, $3, 0, $4)
         on conflict (fingerprint, entity) do update set kind = excluded.kind returning done`,
      [this.#staging.fingerprint, entity, this.#kind, startedAt],
    );
    const written = Number(rows[0]?.done);
    let done = 0;
    for (const batch of batches(all)) {
      // Every run has the same batches. An earlier one may have written a part of this batch.
      const left = batch.slice(Math.max(0, written - done));
      // The report may lack the rows of an earlier run, or have those of a rehearsal with other answers.
      this.#staging.record(batch.slice(0, batch.length - left.length).map(reported), true);
      if (left.length > 0) await this.#write(entity, left);
      done += batch.length;
      heard(done);
    }
    await this.#client.query(
      'update imports set finished_at = coalesce(finished_at, now()) where fingerprint = $1 and entity = $2',
      [this.#staging.fingerprint, entity],
    );
  }

  /** Writes a batch. If PostgreSQL refuses it, it is halved until the refused row stands alone. */
  async #write(entity: string, batch: readonly MappedRow[]): Promise<void> {
    const refusal = await this.#attempt(entity, batch);
    if (!refusal) return;
    const [only] = batch;
    if (batch.length === 1 && only) {
      const detail = [refusal.code, refusal.constraint].filter(Boolean).join(' ');
      const { id } = only;
      const refused = mapped(only.entity, id, { refusal: 'refused-by-database', detail });
      await this.#attempt(entity, [refused]);
      return;
    }
    const half = Math.ceil(batch.length / 2);
    await this.#write(entity, batch.slice(0, half));
    await this.#write(entity, batch.slice(half));
  }

  /** @returns PostgreSQL's refusal; nothing is written then */
  async #attempt(entity: string, batch: readonly MappedRow[]): Promise<DatabaseError | undefined> {
    await this.#client.query('begin');
    try {
      await writeRows(this.#client, batch);
      await this.#client.query(
        `update imports set done = done + $3, answers = $5, counts = (
           select coalesce(jsonb_object_agg(key, n), '{}') from (
             select key, sum(value::bigint) as n from (
               select * from jsonb_each_text(counts)
               union all select outcome, 1::text from unnest($4::text[]) as outcome
             ) one (key, value) group by key) summed)
         where fingerprint = $1 and entity = $2`,
        [
          ...[this.#staging.fingerprint, entity, batch.length],
          ...[batch.map(({ outcome }) => outcome), JSON.stringify(noted(this.#answers))],
        ],
      );
      // Before the commit: a repeat after an interruption reports the same again.
      this.#staging.record(batch.map(reported));
      await this.#client.query('commit');
      return undefined;
    } catch (error) {
      await this.#client.query('rollback');
      if (error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')) return error;
      throw error;
    }
  }
}

const reported = ({ entity, id, outcome, targets, reasons, detail }: MappedRow): EntityRow => ({
  entity,
  id,
  outcome,
  targetId: targets.length > 0 ? targets.join(' ') : undefined,
  reason: reasons.length > 0 ? reasons.join(' ') : undefined,
  detail,
});

function* batches(all: Iterable<MappedRow>): Generator<readonly MappedRow[]> {
  let batch: MappedRow[] = [];
  for (const record of all) {
    if (batch.push(record) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Sets the counters of coupons. The lock waits for orders in progress, whose uses would not be counted. */
async function settle(client: Client): Promise<void> {
  await client.query(`
    begin;
    lock table coupon_usage, coupon_user_usage, coupon_redemptions, coupon_copies in share row exclusive mode;
    insert into coupon_usage (coupon_id, used)
    select c.id, count(r.order_id) from coupons c
      left join coupon_redemptions r on r.coupon_id = c.id and r.released_at is null
     group by c.id
        on conflict (coupon_id) do update set used = excluded.used;
    insert into coupon_user_usage (coupon_id, user_id, used)
    select coupon_id, user_id, count(*) from coupon_redemptions
     where released_at is null group by 1, 2
        on conflict (coupon_id, user_id) do update set used = excluded.used;
    insert into coupon_copies (template_id, user_id, copies)
    select coupon_parent_id, user_id, count(*) from coupons
     where coupon_parent_id is not null and user_id is not null and deleted_at is null group by 1, 2
        on conflict (template_id, user_id) do update set copies = excluded.copies;
    commit`);
}
