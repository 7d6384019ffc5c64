import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const settingsErrors = {
  setting_locked: [409, 'This setting is fixed once there is an order.'],
  store_currency_unset: [
    409,
    'The store has no currency yet, so nothing can be sold. An administrator sets it with `PATCH /me/settings` and {"currency": "IDR"}, an operator with `npm run settings -- currency=IDR`.',
  ],
} as const satisfies ErrorTable;
