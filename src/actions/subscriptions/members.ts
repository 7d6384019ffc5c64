import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { SettingsRow } from '../../schema/platform.ts';

export const memberRefusal = (
  settings: readonly SettingsRow[],
): Refusal<'rest_forbidden'> | undefined =>
  settings[0]?.members_cancel
    ? undefined
    : refuse('rest_forbidden', { message: 'This store cancels subscriptions for its members.' });
