import type { Shop } from '../../kernel/command/shop.ts';
import { personalFields } from './personal-fields.ts';
import { isInConsole, isOfStaff, rolesWith } from '../user/capabilities.ts';
import { drawnErrors, takenErrors } from './constraints.ts';
import { errorTable } from './errors.ts';
import './vocabulary.ts';

/** The shop of this service, for its kernel. */
export const shop: Shop = {
  errors: errorTable,
  takenErrors,
  drawnErrors,
  rolesWith,
  isOfStaff,
  isInConsole,
  personalFields,
  // Nothing of it is loaded before there is an event.
  withFollowing: async (events) => (await import('./state-events.ts')).withStateChanges(events),
};
