import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What settings refuse with. */
export const settingsErrors = {
  setting_locked: [409, 'This setting is fixed once there is an order.'],
} as const satisfies ErrorTable;
