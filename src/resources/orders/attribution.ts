import type { OrderAttribution } from '../../db/schema/orders.ts';
import type { users } from '../../db/schema/users.ts';
import { canAffiliate } from '../users/rules.ts';

type Person = typeof users.$inferSelect;

/** Who could earn from an order. */
export interface Candidates {
  readonly buyer: Person;
  /** The affiliate the order names. */
  readonly explicit: Person | undefined;
  /** The buyer's own sponsor. */
  readonly sponsor: Person | undefined;
  readonly sponsorFirst: boolean;
  /** Whether the product takes part in the affiliate programme. */
  readonly enabled: boolean;
}

/**
 * Which affiliate an order counts for. The affiliate the order names comes before the buyer's
 * sponsor, unless the store keeps affiliates permanently; who may not earn is kept with the reason.
 */
export function attribute(candidates: Candidates): OrderAttribution | null {
  const { explicit, sponsor, sponsorFirst, buyer, enabled } = candidates;
  const named = explicit && { person: explicit, source: 'explicit' as const };
  const sponsored = sponsor && { person: sponsor, source: 'sponsor' as const };
  const chosen = sponsorFirst ? (sponsored ?? named) : (named ?? sponsored);
  if (!chosen) return null;
  const { person, source } = chosen;
  const rejected_reason = rejection(person, buyer, enabled);
  return rejected_reason
    ? { affiliate_id: person.id, source: 'none', rejected_reason }
    : { affiliate_id: person.id, source };
}

function rejection(affiliate: Person, buyer: Person, enabled: boolean) {
  if (affiliate.id === buyer.id) return 'self';
  if (!enabled) return 'disabled';
  if (!canAffiliate(affiliate)) return 'not-eligible';
  return isSamePerson(affiliate, buyer) ? 'fraud' : undefined;
}

/** Whether two accounts share an e-mail address, a phone or a bank account. */
function isSamePerson(a: Person, b: Person): boolean {
  const same = (x: string, y: string) => x !== '' && x === y;
  return (
    same(mailbox(a.email ?? ''), mailbox(b.email ?? '')) ||
    same(digits(a.phone), digits(b.phone)) ||
    same(digits(a.bank_info), digits(b.bank_info))
  );
}

/** An e-mail address without what providers ignore: case, dots and a +tag. */
function mailbox(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  return email && `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain}`;
}

const digits = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '');
