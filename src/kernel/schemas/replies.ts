import * as z from 'zod';

const ok = z.literal(true);

/** An HTML page in place of JSON. */
export const html = z.string();

export const picture = z.string().meta({ format: 'binary' });

export const csvFile = z.string().meta({ format: 'binary' });

export const download = z.string().meta({ format: 'binary' });

/** The target of a redirect, as in its `Location` header. */
export const Redirect = z.object({ location: z.url() });

/** In every `meta`. */
export const ignoredParameters = z
  .array(z.string())
  .optional()
  .describe('Query parameters that this operation does not know and ignored.');

/** The `meta` of a reply without anything else. */
export const Ignored = z
  .object({
    ignored_fields: z
      .array(z.string())
      .optional()
      .describe('Body fields that this operation does not know and ignored.'),
    ignored_parameters: ignoredParameters,
  })
  .meta({ id: 'Ignored' });

/** `{success: true, data}` */
export const record = <T extends z.ZodType>(data: T) =>
  z.object({ success: ok, data, meta: Ignored.optional() });

/** The body of a list without pages. */
export const collection = <T extends z.ZodType>(item: T) =>
  z.object({ success: ok, data: z.array(item), meta: Ignored.optional() });

const Pagination = z
  .object({
    page: z.int(),
    per_page: z.int(),
    total: z.int().describe('Exact number of matching records.'),
    total_pages: z.int(),
  })
  .meta({ id: 'Pagination', examples: [{ page: 1, per_page: 1, total: 48, total_pages: 48 }] });

const PageMeta = z
  .object({
    pagination: Pagination.optional(),
    next_cursor: z
      .string()
      .nullable()
      .describe('Send it as `cursor` to get the next page; null on the last.'),
    ignored_parameters: ignoredParameters,
  })
  .meta({ id: 'PageMeta' });

/** A list in pages, newest first. A page by cursor has no total. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({ success: ok, data: z.array(item), meta: PageMeta });

const ChangesMeta = PageMeta.extend({
  next_updated_since: z.iso
    .datetime()
    .describe(
      'Send it as `updated_since` once you have read every page. It is 15 seconds before the first page was read: no change is missed, and some records come again.',
    ),
}).meta({ id: 'ChangesPageMeta' });

/** A list in pages that shows changes. */
export const changesPage = <T extends z.ZodType>(item: T) =>
  page(item).extend({ meta: ChangesMeta });

const OwnMeta = z
  .object({
    effective_user_id: z.int().describe('The user the token acts for.'),
    ignored_parameters: ignoredParameters,
  })
  .meta({ id: 'OwnMeta' });

const OwnPageMeta = PageMeta.extend(OwnMeta.shape).meta({ id: 'OwnPageMeta' });

/** A page on `/me`, with the token's user. */
export const ownPage = <T extends z.ZodType>(item: T) => page(item).extend({ meta: OwnPageMeta });

/** A record on `/me`. */
export const ownRecord = <T extends z.ZodType>(data: T) =>
  z.object({ success: ok, data, meta: OwnMeta });

const OwnListMeta = OwnMeta.extend({ pagination: Pagination }).meta({ id: 'OwnListMeta' });

/** A list without pages on `/me`: everything is on one page. */
export const ownCollection = <T extends z.ZodType>(item: T) =>
  z.object({ success: ok, data: z.array(item), meta: OwnListMeta });

export const DeletedRecord = z.object({ id: z.int(), deleted: ok }).meta({ id: 'DeletedRecord' });

export const deletedRecord = (id: number) => ({ id, deleted: true as const });

export const Deleted = record(DeletedRecord);

export const one = <T>(data: T) => ({ success: true as const, data });

export const deleted = (id: number) => one(deletedRecord(id));
