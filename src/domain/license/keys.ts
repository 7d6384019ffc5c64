import * as z from 'zod';
import { Id, Instant } from '../../lib/schemas.ts';
import { License } from './schemas.ts';
import { toLicense } from './rules.ts';
import { type LicenseCase, judge } from './verdicts.ts';
import { verdictCodes } from './verdict-codes.ts';

const { code, order_id, status, strings, activation_limit, activation_count, remaining } =
  License.shape;

export const LicenseKey = z
  .object({
    id: Id,
    code,
    product: z
      .object({ id: Id, title: z.string().describe('As it was bought.') })
      .meta({ id: 'LicensedProduct' }),
    order_id,
    status,
    verdict: z
      .enum(verdictCodes)
      .describe(
        'The verdict on its use now: see [the verdicts](/docs/reference/licences#licenses-validate).',
      )
      .meta({ examples: ['VALID'] }),
    expires_at: License.shape.expires_at,
    activation_limit,
    activation_count,
    remaining,
    strings,
    created_at: Instant,
  })
  .meta({ id: 'LicenseKey' });

export function toLicenseKey(row: LicenseCase, now: Date): z.input<typeof LicenseKey> {
  const license = toLicense(row, now);
  return {
    ...license,
    product: { id: license.product_id, title: row.product_title },
    verdict: judge(row, {}, now),
  };
}
