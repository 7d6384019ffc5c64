import type { Domain } from '../../kernel/command/domain.ts';
import { personalFields } from './personal-fields.ts';
import { isInConsole, isOfStaff, rolesWith } from '../user/capabilities.ts';
import { drawnErrors, takenErrors } from './constraints.ts';
import { errorTable } from './errors.ts';
import './vocabulary.ts';

export const domain: Domain = {
  errors: errorTable,
  takenErrors,
  drawnErrors,
  rolesWith,
  isOfStaff,
  isInConsole,
  personalFields,
  // Loaded with the first event.
  withFollowing: async (events) => (await import('./state-events.ts')).withStateChanges(events),
};
