import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What licences refuse with. */
export const licenseErrors = {
  license_quantity: [409, 'One order can issue 1,000 licences at most.'],
  license_limit_reached: [409, 'The licence is registered as often as it may be.'],
  license_reset_limit_reached: [409, 'The licence was reset as often as it may be for now.'],
} as const satisfies ErrorTable;
