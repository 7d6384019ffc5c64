import type { StatePart } from '../../src/domain/user/events.ts';
import type { Store } from './store.ts';

/** The states of users, as text by user and part. */
export type States = ReadonlyMap<string, string>;

/** Reads the present states of users without the service's code. */
export async function readStates({ database, clock }: Store): Promise<States> {
  const { rows } = await database.query<{ id: string; part: StatePart; state: string | null }>(
    `select u.id, p.part, p.state from users u cross join lateral (values
       ('access', (select jsonb_agg(jsonb_build_array(g.product_id, g.start, g.end_active) order by g.id)
          from access_grants g where g.user_id = u.id and u.status = 'active' and g.status = 'active'
           and g.start <= $1 and (g.end_active is null or g.end_active > $1))::text),
       ('subscriptions', (select jsonb_agg(to_jsonb(s) - '{version,updated_at,announced_end,announced_due,note}'::text[]
            order by s.id)
          from subscriptions s where s.user_id = u.id and s.status in ('active', 'paused', 'pending')
           and (s.status <> 'active' or s.end_date is null or s.end_date > $1))::text),
       ('licenses', (select jsonb_agg(jsonb_build_array(l.id, l.code, l.expires_at) order by l.id)
          from licenses l where l.user_id = u.id and l.status = 'active'
           and (l.expires_at is null or l.expires_at > $1)
           and not exists (select from subscriptions s where s.first_order_id = l.order_id
             and (s.status <> 'active' or s.end_date <= $1))
           and (exists (select from license_terms t where t.license_id = l.id and t.order_id is not null)
             or l.order_id is null or exists (select from orders o where o.id = l.order_id
               and o.status in ('completed', 'refunded', 'cancelled'))))::text),
       ('group', u.group_id::text)
     ) p (part, state) where u.status <> 'anonymised'`,
    [clock.now()],
  );
  return new Map(rows.map(({ id, part, state }) => [`${id} ${part}`, state ?? '']));
}

/** The users and parts that differ. A new user had nothing before. */
export const changesOf = (before: States, after: States): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => (before.get(key) ?? '') !== (after.get(key) ?? ''),
  );

/** Reads the announced changes since the last call, as users and parts; one text for each event. */
export function toldStates(store: Store): () => Promise<string[][]> {
  let last = 0;
  return async () => {
    const { rows } = await store.database.query<{
      id: string;
      data: { id: number; changed: StatePart[] };
    }>(`select id, data from outbox where event = 'user.state-changed' and id > $1 order by id`, [
      last,
    ]);
    last = Number(rows.at(-1)?.id ?? last);
    return rows.map(({ data: { id, changed } }) => changed.map((part) => `${id} ${part}`));
  };
}
