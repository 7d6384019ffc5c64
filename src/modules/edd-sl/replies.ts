import { toLicense } from '../../domain/license/rules.ts';
import type { License } from '../../domain/license/schemas.ts';
import type { LicenseCase } from '../../domain/license/verdicts.ts';
import type { Verdict } from '../../domain/license/verdict-codes.ts';
import type { EddReply, EddRequest, EddStatus } from './schemas.ts';

/** A verdict in the old shop's words. */
export const statusOf: Readonly<Record<Verdict, EddStatus>> = {
  VALID: 'valid',
  PENDING: 'disabled',
  INACTIVE: 'disabled',
  EXPIRED: 'expired',
  SUBSCRIPTION_INACTIVE: 'expired',
  ORDER_NOT_COMPLETED: 'disabled',
  NO_ACTIVATION: 'inactive',
  STRING_MISMATCH: 'site_inactive',
  PRODUCT_MISMATCH: 'invalid_item_id',
  USER_MISMATCH: 'invalid',
  LIMIT_REACHED: 'site_inactive',
};

/** Some clients encode a text twice. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Keeps only letters and digits: WordPress writes signs in several ways, such as `&#038;` for `&` and a dash for a
 * hyphen.
 */
const spelled = (name: string) =>
  name
    .replace(/&#?\w+;/g, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const isNamed = (title: string, name: string) =>
  [name, decoded(name)].some((text) => spelled(text) === spelled(title));

/** Undefined if the request names the right item. */
export function itemTrouble(
  { license, product_title }: LicenseCase,
  { item_id = '', item_name = '' }: EddRequest,
): EddStatus | undefined {
  if (Number(item_id)) {
    return Number(item_id) === license.product_id ? undefined : 'invalid_item_id';
  }
  return item_name === '' || isNamed(product_title, item_name) ? undefined : 'item_name_mismatch';
}

/** The software's site, from the request or from WordPress's user agent. */
export const siteOf = ({ url = '' }: EddRequest, userAgent: string): string =>
  (/^https?%3A/i.test(url) ? decoded(url) : url).trim() || (userAgent.split(';')[1] ?? '').trim();

const instant = (at: string) => at.slice(0, 19).replace('T', ' ');

/** Hides the owner: a code alone must not reveal them. */
const shown = (license: License, item_name: string): EddReply => ({
  item_id: license.product_id,
  item_name,
  expires: license.expires_at === null ? 'lifetime' : instant(license.expires_at),
  payment_id: license.order_id ?? 0,
  customer_name: '',
  customer_email: '',
  license_limit: license.activation_limit,
  site_count: license.activation_count,
  activations_left: license.remaining ?? 'unlimited',
  price_id: false,
});

export const told = (
  license: License,
  { product_title }: LicenseCase,
  outcome: EddReply,
): EddReply => ({ ...outcome, ...shown(license, product_title) });

export const toldUnchanged = (row: LicenseCase, outcome: EddReply, now: Date): EddReply =>
  told(toLicense(row, now), row, outcome);

export const nothingKnown = ({ item_name = '' }: EddRequest, outcome: EddReply): EddReply => ({
  ...outcome,
  item_id: false,
  item_name: decoded(item_name),
});

export const notActivated = (error: EddStatus): EddReply => ({
  success: false,
  license: 'invalid',
  error,
});

/** No files are offered, so no version is newer. */
export const noUpdate = ({ item_name = '' }: EddRequest): EddReply => ({
  new_version: '',
  stable_version: '',
  name: decoded(item_name),
  url: '',
  homepage: '',
  package: '',
  download_link: '',
  last_updated: '',
  sections: { changelog: '' },
  banners: {},
  icons: {},
});
