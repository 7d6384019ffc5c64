import type { License } from '../../domain/license/schemas.ts';
import type { LicenseCase } from '../../domain/license/verdicts.ts';
import { type Verdict, verdicts } from '../../domain/license/verdict-codes.ts';
import type { SlmReply } from './schemas.ts';

/** Error numbers of the old shop. */
const codes = {
  blocked: 20,
  expired: 30,
  inUse: 40,
  limit: 50,
  unknown: 60,
  noDomain: 70,
  notRegistered: 80,
  secret: 90,
  inUseAndFull: 110,
} as const;

export const refused = (why: keyof typeof codes, message: string): SlmReply => ({
  result: 'error',
  message,
  error_code: codes[why],
});

export const succeeded = (message: string): SlmReply => ({ result: 'success', message });

export const unknownLicense = refused('unknown', 'There is no such licence.');

const isOver = (verdict: Verdict) => verdict === 'EXPIRED' || verdict === 'SUBSCRIPTION_INACTIVE';

export const unusable = (verdict: Verdict): SlmReply =>
  refused(isOver(verdict) ? 'expired' : 'blocked', verdicts[verdict]);

/** @param referred the products with the name in the request */
export const isForItem = (
  { license }: LicenseCase,
  referred: readonly { readonly id: number }[],
): boolean => referred.length === 0 || referred.some(({ id }) => id === license.product_id);

/** From WordPress's user agent, such as `WordPress/6.4; https://toko.example`. */
export const hostOf = (userAgent: string): string | undefined =>
  URL.parse(userAgent.split(';')[1] ?? '')?.hostname || undefined;

const never = '0000-00-00';

/** Stands for no limit, because 0 allows none. */
const unlimited = 1_000_000;

/** The verdict for any place, in the old shop's words. */
function statusOf(verdict: Verdict, { activations }: License): string {
  if (verdict === 'VALID') return activations.length === 0 ? 'pending' : 'active';
  return isOver(verdict) ? 'expired' : 'blocked';
}

/**
 * Hides the owner and other places: a code alone must not reveal them.
 * @param domain the caller's own, if registered; spelled as in the request, because the software looks for itself
 */
export const details = (
  license: License,
  verdict: Verdict,
  domain: string | undefined,
  now: Date,
): SlmReply => ({
  ...succeeded('These are the details of the licence.'),
  license_key: license.code,
  status: statusOf(verdict, license),
  max_allowed_domains: String(license.activation_limit || unlimited),
  registered_domains:
    domain === undefined ? [] : [{ lic_key: license.code, registered_domain: domain }],
  date_created: license.created_at.slice(0, 10),
  date_renewed: never,
  date_expiry: license.expires_at?.slice(0, 10) ?? never,
  date: now.toISOString().slice(0, 10),
  product_ref: String(license.product_id),
  email: '',
  first_name: '',
  last_name: '',
  company_name: '',
  txn_id: '',
  subscr_id: '',
});
