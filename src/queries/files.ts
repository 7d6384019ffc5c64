import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { type Window, allOf, equals, paged } from '../kernel/database/filters.ts';
import { type Argument, build, guard } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { type DownloadLink, dayOf, linksADay } from '../domain/file/downloads.ts';
import type { FileQuery } from '../domain/file/schemas.ts';
import { type FileRow, fileDownloads, files } from '../schema/files.ts';
import { products } from '../schema/products.ts';
import { someGone } from './media.ts';
import { ofOrder } from './order-columns.ts';
import { selectProducts } from './products.ts';

const present = isNull(files.deleted_at);

const selectFiles = () => build.select().from(files);

export const findFile = (id: number) => selectFiles().where(and(eq(files.id, id), present));

/** The product of a file with its variants, even if the file or the product was deleted. */
export const findProductOfFile = (id: number) =>
  selectProducts().where(
    sql`${products.id} = (select f.product_id from files f where f.id = ${id})`,
  );

const filters = ({
  product_id,
  content_id,
  status,
}: FileQuery): ConditionsFor<FileQuery, 'present'> => ({
  present,
  ...equals(files, { product_id, content_id, status }),
});

export const listFiles = (query: FileQuery, window: Window) =>
  paged(selectFiles().$dynamic(), files.id, filters(query), window);

export const countFiles = (query: FileQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(files)
    .where(allOf(filters(query)));

export const insertFile = (file: FileRow) => build.insert(files).values(file);

export const saveFile = (before: FileRow, after: FileRow) => updateRow(files, before, after);

/** Records that a part arrived in the bucket. There is no version check: parts may arrive at the same time. */
export const notePart = ({ id, upload }: FileRow, part: number, etag: string, now: Date) =>
  guard(
    sql`update files set upload = jsonb_set(upload, array['parts', ${String(part)}], to_jsonb(${etag}::text)),
        updated_at = ${now.toISOString()}
      where id = ${id} and deleted_at is null and upload ->> 'id' = ${upload?.id ?? ''} returning id`,
    'file_not_uploading',
  );

const isReady = and(eq(files.status, 'ready'), present);

const inOrder = [asc(files.product_id), asc(files.position), asc(files.id)];

export const findReadyFiles = (product_id: number) =>
  selectFiles()
    .where(and(eq(files.product_id, product_id), isReady))
    .orderBy(...inOrder)
    .limit(500);

export const findFilesOfOrder = (order_id: number) =>
  selectFiles()
    .where(and(eq(files.product_id, ofOrder('product_id', order_id)), isReady))
    .orderBy(...inOrder)
    .limit(500);

/** The files of all products that a person ever had access to. */
export const findFilesOf = (user_id: Argument<number>) =>
  selectFiles()
    .where(
      and(
        sql`${files.product_id} in (select g.product_id from access_grants g where g.user_id = ${user_id})`,
        isReady,
      ),
    )
    .orderBy(...inOrder)
    .limit(500);

/** A person's used links to a file, of the day on which this link was made. */
export const findUsedLinks = (user_id: number, file_id: number, link: DownloadLink) =>
  build
    .select({ links: fileDownloads.links })
    .from(fileDownloads)
    .where(
      and(
        eq(fileDownloads.user_id, user_id),
        eq(fileDownloads.file_id, file_id),
        eq(fileDownloads.day, dayOf(link)),
      ),
    );

/** Counts a link at its first use, once even for parallel requests. */
export const countLink = (user_id: number, file_id: number, link: DownloadLink) =>
  guard(
    sql`insert into file_downloads as d (user_id, file_id, day, links)
      values (${user_id}, ${file_id}, ${dayOf(link)}, array[${link.id}::uuid])
      on conflict (user_id, file_id, day) do update
        set links = case when ${link.id}::uuid = any(d.links) then d.links
          else d.links || ${link.id}::uuid end
        where ${link.id}::uuid = any(d.links) or cardinality(d.links) < ${linksADay}
      returning 1`,
    'download_limit',
  );

/** Days after which an incomplete upload is given up. The bucket then deletes its parts. */
const uploadDays = 7;

const isGone = (now: Date) =>
  or(
    sql`${files.deleted_at} is not null`,
    and(
      eq(files.status, 'uploading'),
      isNull(files.source_url),
      lt(files.updated_at, new Date(now.getTime() - uploadDays * 86_400_000).toISOString()),
    ),
  );

/** Files whose objects are to be removed, some at a time. */
export const findGoneFiles = (now: Date) =>
  build.select({ id: files.id, key: files.key }).from(files).where(isGone(now)).limit(100);

/** An SQL expression: true if objects of files or pictures are to be removed. */
export const someObjectsGone = (now: Date) =>
  sql`(${someGone} or exists (select from ${files} where ${isGone(now)}))`;

export const removeFiles = (ids: number[]) => build.delete(files).where(inArray(files.id, ids));
