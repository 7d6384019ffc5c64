import type { Domain } from '../../kernel/command/domain.ts';
import { personalFields } from './personal-fields.ts';
import { isInConsole, isOfStaff, rolesWith } from '../user/capabilities.ts';
import { drawnErrors, takenErrors } from './constraints.ts';
import { errorTable } from './errors.ts';
import './vocabulary.ts';

/** The tables that this service configures the kernel with. */
export const domain: Domain = {
  errors: errorTable,
  takenErrors,
  drawnErrors,
  rolesWith,
  isOfStaff,
  isInConsole,
  personalFields,
  // The code is loaded with the first event.
  withFollowing: async (events) => (await import('./state-events.ts')).withStateChanges(events),
};
