import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { type MediaRow, media, publicPurposes } from '../schema/media.ts';
import { orders } from '../schema/orders.ts';
import { build, guard } from '../kernel/database/statements.ts';

export const insertMedia = (row: MediaRow) => build.insert(media).values(row);

/** The payment proofs of an order. */
export const findProofsOf = (order_id: number) =>
  build.select({ key: media.key }).from(media).where(eq(media.order_id, order_id));

/** Requires that an order, which the caller holds, has fewer proofs than a limit. */
export const limitProofs = (order_id: number, limit: number) =>
  guard(
    sql`select from (select count(*) from media where order_id = ${order_id}) c (n) where n < ${limit}`,
    'rest_too_many_requests',
  );

export const findPublic = (key: string) =>
  build
    .select({ key: media.key, type: media.type, size: media.size })
    .from(media)
    .where(
      and(eq(media.key, key), inArray(media.purpose, publicPurposes), isNull(media.deleted_at)),
    );

/** A payment proof, visible to its uploader, the order's buyer and administrators. */
export const findProof = (key: string, { userId, isAdmin }: { userId: number; isAdmin: boolean }) =>
  build
    .select({ key: media.key, type: media.type, size: media.size })
    .from(media)
    .innerJoin(orders, eq(orders.id, media.order_id))
    .where(
      and(
        eq(media.key, key),
        eq(media.purpose, 'proof'),
        isNull(media.deleted_at),
        isAdmin ? sql`true` : or(eq(media.user_id, userId), eq(orders.user_id, userId)),
      ),
    );

/** The picture behind a confirmation's proof address, for a reviewer. */
export const findPictureOfProof = (confirmation_id: number) =>
  build
    .select({ key: media.key, type: media.type, size: media.size })
    .from(media)
    .where(
      and(
        sql`${media.key} = (select substring(detail ->> 'proof' from '/([A-Za-z0-9.]+)$')
              from confirmations where id = ${confirmation_id})`,
        isNull(media.deleted_at),
        or(inArray(media.purpose, publicPurposes), isNotNull(media.order_id)),
      ),
    );

const isGone = sql`deleted_at is not null or (purpose = 'proof' and order_id is null)`;

/** Hidden pictures whose files still exist, some at a time. */
export const findGone = () => build.select({ key: media.key }).from(media).where(isGone).limit(100);

/** An SQL expression: true if there are hidden pictures whose files still exist. */
export const someGone = sql`exists (select from ${media} where ${isGone})`;

export const removeMedia = (keys: string[]) => build.delete(media).where(inArray(media.key, keys));
