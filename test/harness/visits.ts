import type { StoreFixture } from './store-fixture.ts';

/** A visit through a link; without a page it leads to the sales page. */
interface Visit {
  readonly target?: string;
  readonly sub?: string;
  readonly ip?: string;
  readonly browser?: string;
  /** The `ref` in the visitor's cookie. */
  readonly ref?: string | undefined;
}

export class Visits {
  readonly #fixture: StoreFixture;
  readonly #affiliate: number;

  constructor(fixture: StoreFixture, affiliate: number) {
    this.#fixture = fixture;
    this.#affiliate = affiliate;
  }

  /**
   * Follows a link to a product.
   * @returns the `ref` that it gives the visitor
   */
  async follow(
    { id }: { id: number },
    { target = 'sales-page', sub, ip = '203.0.113.5', browser, ref }: Visit = {},
  ): Promise<string> {
    const query = sub === undefined ? '' : `?sub=${encodeURIComponent(sub)}`;
    const path = `//aff/${this.#affiliate}/${id}/${target}${query}`;
    const reply = await this.#fixture.store.client().get(path, {
      headers: {
        'user-agent': browser ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0',
        'cf-connecting-ip': ip,
        ...(ref && { cookie: `a=b; ref=${ref}` }),
      },
    });
    if (reply.status !== 302) throw new Error(JSON.stringify(reply.body));
    return new URL(reply.body.location).searchParams.get('ref') ?? '';
  }

  /** Records a visit today for each campaign: s0, s1 and so on. */
  async fill({ id }: { id: number }, subs: number): Promise<void> {
    const { database, clock } = this.#fixture.store;
    await database.query(
      `insert into affiliate_clicks (ref, affiliate_id, product_id, target, at, sub, visitor, counted_on)
       select gen_random_uuid(), $1, $2, 'sales-page', $3::timestamptz, 's' || n, 'filled',
              $3::timestamptz::date - date '2000-01-01'
         from generate_series(0, $4::int - 1) n`,
      [this.#affiliate, id, clock.now().toISOString(), subs],
    );
  }
}
