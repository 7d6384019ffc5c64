import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { SettingsRow } from '../../schema/platform.ts';

export const memberRefusal = (
  settings: readonly SettingsRow[],
): Refusal<'rest_forbidden'> | undefined =>
  settings[0]?.members_cancel
    ? undefined
    : refuse('rest_forbidden', {
        message: 'Members of this store cannot cancel subscriptions themselves. Ask the store.',
      });
