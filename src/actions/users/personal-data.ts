import * as z from 'zod';
import type { ReadAccess } from '../../kernel/command/store.ts';
import { pagesOf, type StreamedFile } from '../../kernel/lists/pages.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { type SectionName, keyOf, listOwn, personSections } from '../../queries/person.ts';
import { findPerson } from '../../queries/users.ts';

export const PersonalData = z
  .object({
    user_id: Id,
    exported_at: Instant,
    records: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe(
        "The person's records as they are kept, by table. Tables and columns are added over time.",
      )
      .meta({ examples: [{ users: [{ id: 4, display_name: 'Sari Wulan' }], orders: [] }] }),
  })
  .meta({ id: 'PersonalData' });

export const contentsText =
  'Profile, external ids, orders with their history, payments, confirmations and refunds, subscriptions and licences with their terms and activations, access, commissions and payouts as an affiliate, coupons, messages, suppressed addresses, reminders, uploaded pictures, wishes and sessions in the console. It contains no secrets (the codes of licences are secrets: `GET /me/license-keys` has them), no risks, none of the notes that the store keeps on access, commissions, licences and subscriptions, and only the ids of other people. It is read while it is sent, table after table, so changes made meanwhile may or may not be in it. If it cannot be completed, the connection breaks.';

type Row = Record<string, unknown>;

/** Records of each table in the first trip. Most people have no more. */
const firstSize = 25;

/** Undefined for an unknown person. */
export async function personalData(
  db: ReadAccess,
  user_id: number,
  now: Date,
  asReply: (data: z.input<typeof PersonalData>) => object,
): Promise<StreamedFile | undefined> {
  const { person, ...first } = await db.query({
    person: findPerson(user_id),
    ...Object.fromEntries(
      personSections.map(({ name }) => [name, listOwn(name, user_id, firstSize)]),
    ),
  });
  if (!person[0]) return undefined;
  const reply = asReply({ user_id, exported_at: now.toISOString(), records: {} });
  return {
    name: `user-${user_id}.json`,
    type: 'application/json',
    texts: textsOf(db, user_id, first as Record<SectionName, Row[]>, JSON.stringify(reply)),
  };
}

/** Streams the reply with its records. */
async function* textsOf(
  db: ReadAccess,
  user_id: number,
  first: Readonly<Record<SectionName, Row[]>>,
  reply: string,
) {
  const [start, end] = reply.split('"records":{}');
  let before = `${start}"records":{`;
  for (const { name, table } of personSections) {
    const rows = first[name];
    yield `${before}"${table}":[${textOf(rows)}`;
    if (rows.length === firstSize) yield* followingOf(db, user_id, name, keyOf(name, rows.at(-1)));
    before = '],';
  }
  yield `]}${end}`;
}

const textOf = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).join(',');

/** Reads the rest of a table's records. */
const followingOf = (db: ReadAccess, user_id: number, name: SectionName, start: unknown) =>
  pagesOf(start, async (after, size) => {
    const { rows } = await db.query({ rows: listOwn(name, user_id, size, after) });
    return {
      page: rows.length > 0 ? `,${textOf(rows)}` : '',
      next: rows.length === size ? keyOf(name, rows.at(-1)) : undefined,
    };
  });
