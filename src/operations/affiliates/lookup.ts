import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { sendIf } from '../../kernel/database/statements.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { canAffiliate, hasPhone } from '../../domain/user/rules.ts';
import { Affiliate, AffiliateLookup } from '../../domain/affiliate/schemas.ts';
import { lookUpAffiliates } from '../../queries/user-lists.ts';

export const lookUpAffiliate = endpoint({
  id: 'affiliates.lookup',
  route: ['GET /affiliates/lookup'],
  summary: 'Find an affiliate',
  description:
    'By exactly one of `id`, `email`, `phone`, or the code of one of their coupons as `coupon`. A phone number is found however it is written.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  query: AffiliateLookup,
  reply: [200, record(Affiliate)],
  errors: ['rest_not_found', 'rest_ambiguous'],
}).handle(async ({ query, db }) => {
  const loaded = await db.query({
    found: lookUpAffiliates(query),
    settings: sendIf(query.phone !== undefined, findSettings),
  });
  const [row, other] = loaded.found.filter(({ person }) =>
    hasPhone(person, query.phone, loaded.settings[0]),
  );
  if (!row) return refuse('rest_not_found');
  if (other) return refuse('rest_ambiguous');
  const { person, group, coupon_codes } = row;
  return one({
    affiliate_id: person.id,
    display_name: person.display_name,
    can_affiliate: canAffiliate({ ...person, group }),
    group,
    sponsor_id: person.affiliate_id,
    coupon_codes,
  });
});
