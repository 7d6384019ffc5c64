import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const licenseErrors = {
  license_quantity: [409, 'One order can issue 1,000 licences at most.'],
  license_limit_reached: [409, 'All seats of this licence are taken.'],
  license_free_limit_reached: [
    409,
    'This licence is registered for 50 development hosts already: unregister one, or reset it.',
  ],
  license_reset_limit_reached: [409, 'This licence has been reset as often as allowed for now.'],
} as const satisfies ErrorTable;
