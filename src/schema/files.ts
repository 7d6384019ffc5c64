import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import * as column from '../kernel/database/columns.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** `imported`: its content is still at the address that an import found. */
export const fileStatuses = ['ready', 'uploading', 'imported'] as const;

/** An unfinished upload in parts: its id in the bucket, and the tags of the arrived parts. */
export interface FileUpload {
  id: string;
  parts: Readonly<Record<string, string>>;
}

/** Files that buyers of a product download. A deleted file is first removed from the bucket, and then its row. */
export const files = pg.pgTable(
  'files',
  {
    id: column.id(),
    product_id: column.reference(() => products.id),
    /** The variant option that opens the file; null for all buyers of the product. */
    option_id: pg.text(),
    /** The content whose rules apply. Not a foreign key: a file stays closed after its content is deleted. */
    content_id: column.integer(),
    name: pg.text().notNull(),
    release: pg.text().notNull(),
    position: pg.integer().notNull(),
    type: pg.text().notNull(),
    /** In bytes; null until it is known. */
    size: column.integer(),
    sha256: pg.text(),
    status: column.choice(fileStatuses).notNull(),
    /** The random name of the object in the bucket. */
    key: pg.text().notNull(),
    upload: column.document<FileUpload | null>(),
    source_url: pg.text(),
    deleted_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('files_status', t.status, fileStatuses),
    pg.check(
      'files_ready',
      sql`${t.status} <> 'ready' or (${t.size} is not null and ${t.sha256} is not null)`,
    ),
    pg.index('files_product').on(t.product_id, t.position, t.id).where(column.live(t)),
    pg
      .index('files_content')
      .on(t.content_id)
      .where(sql`${t.content_id} is not null`),
    pg
      .index('files_deleted')
      .on(t.id)
      .where(sql`${t.deleted_at} is not null`),
    pg
      .index('files_uploading')
      .on(t.updated_at)
      .where(sql`${t.status} = 'uploading'`),
  ],
);

/** A person's used links to a file, by the day on which they were made. */
export const fileDownloads = pg.pgTable(
  'file_downloads',
  {
    user_id: column.reference(() => users.id),
    file_id: column.reference(() => files.id, { onDelete: 'cascade' }),
    day: column.instant().notNull(),
    links: pg.uuid().array().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.user_id, t.file_id, t.day] }),
    pg.index('file_downloads_day').on(t.day),
    pg.index('file_downloads_file').on(t.file_id),
  ],
);

export type FileRow = typeof files.$inferSelect;
