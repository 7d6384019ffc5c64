import { sql } from 'drizzle-orm';
import { index, integer as int4, pgTable, text } from 'drizzle-orm/pg-core';
import { imageTypes } from '../lib/images/image.ts';
import { choice, instant, integer, oneOf, reference } from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** Purposes of pictures: public or not, and deleted with their user or not. */
const purposes = {
  creative: { isPublic: true, isPersonal: false },
  avatar: { isPublic: true, isPersonal: true },
  proof: { isPublic: false, isPersonal: true },
} as const;

export type MediaPurpose = keyof typeof purposes;

export const mediaPurposes = Object.keys(purposes) as [MediaPurpose, ...MediaPurpose[]];

export const publicPurposes = mediaPurposes.filter((purpose) => purposes[purpose].isPublic);

export const personalPurposes = mediaPurposes.filter((purpose) => purposes[purpose].isPersonal);

/** Uploaded pictures; a file without its row is never served. */
export const media = pgTable(
  'media',
  {
    /** The random name of the file in the bucket. */
    key: text().primaryKey(),
    user_id: reference(() => users.id),
    purpose: choice(mediaPurposes).notNull(),
    /** The order that a proof pays. The proof is deleted with the order. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
    type: choice(imageTypes).notNull(),
    width: int4().notNull(),
    height: int4().notNull(),
    /** In bytes. */
    size: int4().notNull(),
    created_at: instant().notNull(),
    deleted_at: instant(),
  },
  (t) => [
    oneOf('media_purpose', t.purpose, mediaPurposes),
    oneOf('media_type', t.type, imageTypes),
    index('media_user').on(t.user_id),
    index('media_order').on(t.order_id),
    index('media_gone')
      .on(t.key)
      .where(sql`deleted_at is not null or (purpose = 'proof' and order_id is null)`),
  ],
);

export type MediaRow = typeof media.$inferSelect;
