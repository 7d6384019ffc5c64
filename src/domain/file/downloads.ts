import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { ContentRow, Grant } from '../../schema/access.ts';
import type { FileRow } from '../../schema/files.ts';
import { findAccess } from '../access/checks.ts';
import type { Moment } from '../access/rules.ts';

export interface FileRights extends Moment {
  readonly user: { readonly id: number; readonly status: string };
  /** The grants for the product, and for the products of its content. */
  readonly grants: readonly Grant[];
  /** The variant options of the orders behind the grants. */
  readonly options: readonly { readonly order_id: number; readonly option_id: string }[];
  readonly contents: readonly ContentRow[];
}

export function mayDownload(
  { product_id, option_id, content_id }: Pick<FileRow, 'product_id' | 'option_id' | 'content_id'>,
  { user, grants, options, contents, now, timezone }: FileRights,
): boolean {
  const content = contents.find(({ id }) => id === content_id);
  if (content_id !== null && !content) return false;
  const [first = product_id, ...rest] = content?.product_ids ?? [];
  const opening = grants.filter(
    (grant) =>
      option_id === null ||
      grant.order_id === null ||
      grant.source === 'import' ||
      options.some(
        (bought) => bought.order_id === grant.order_id && bought.option_id === option_id,
      ),
  );
  const question = { user, product_ids: [first, ...rest] as const, grants: opening, now, timezone };
  return findAccess({ ...question, ...(content && { content }) }).reason === 'ok';
}

/** The most links made in one day that a person may use for one file. */
export const linksADay = 50;

/** Seconds within which a download has to begin. */
const toBegin = 15 * 60;

/** Seconds for which a download link is valid. */
export const linkSeconds = 24 * 3600;

export interface DownloadLink {
  readonly id: string;
  /** Seconds since 1970. */
  readonly made: number;
}

/** The start of the link's day, in UTC. */
export const dayOf = ({ made }: DownloadLink): string =>
  `${new Date(made * 1000).toISOString().slice(0, 10)}T00:00:00.000Z`;

/** @param used the used links of its day */
export function linkState(
  { id, made }: DownloadLink,
  used: readonly string[],
  now: Date,
): 'begins' | 'begun' | Refusal<'download_expired' | 'download_limit'> {
  if (used.includes(id)) return 'begun';
  if (now.getTime() / 1000 > made + toBegin) return refuse('download_expired');
  return used.length >= linksADay ? refuse('download_limit') : 'begins';
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Reads a `Range` header. Several ranges, other units and malformed values mean the whole file. */
export function rangeOf(
  header: string | undefined,
  size: number,
): ByteRange | undefined | Refusal<'download_range'> {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end ? refuse('download_range') : { offset: start, length: end - start + 1 };
}
