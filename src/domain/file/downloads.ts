import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { ContentRow, Grant } from '../../schema/access.ts';
import type { FileRow } from '../../schema/files.ts';
import { findAccess } from '../access/checks.ts';
import type { Moment } from '../access/rules.ts';

/** The rights of a person that files are opened by. */
export interface FileRights extends Moment {
  readonly user: { readonly id: number; readonly status: string };
  /** Their grants for the product, and for the products of its content. */
  readonly grants: readonly Grant[];
  /** The variant options of the orders behind the grants. */
  readonly options: readonly { readonly order_id: number; readonly option_id: string }[];
  readonly contents: readonly ContentRow[];
}

/** Tells if a person may download a file now. */
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

/** The most links of one file that a person uses of those made on one day. */
export const linksADay = 50;

/** The seconds within which a download by a link has to begin. */
const toBegin = 15 * 60;

/** The seconds for which a link is good in all. */
export const linkSeconds = 24 * 3600;

/** A link to a file, as its token says. */
export interface DownloadLink {
  readonly id: string;
  /** The moment it was made at, in seconds since 1970. */
  readonly made: number;
}

/** The day a link was made on, in UTC. */
export const dayOf = ({ made }: DownloadLink): string =>
  `${new Date(made * 1000).toISOString().slice(0, 10)}T00:00:00.000Z`;

/** Tells if a link begins now, has begun, or is refused. @param used the links of its day that were used */
export function linkState(
  { id, made }: DownloadLink,
  used: readonly string[],
  now: Date,
): 'begins' | 'begun' | Refusal<'download_expired' | 'download_limit'> {
  if (used.includes(id)) return 'begun';
  if (now.getTime() / 1000 > made + toBegin) return refuse('download_expired');
  return used.length >= linksADay ? refuse('download_limit') : 'begins';
}

/** Some bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads a `Range` header. One range is answered; several, other units and what is malformed count as none.
 * @returns the bytes, or undefined for the whole file
 */
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
