import type { Shop } from '../../kernel/command/shop.ts';
import { personalFields } from './personal-fields.ts';
import { isInConsole, isOfStaff, rolesWith } from '../user/capabilities.ts';
import { drawnErrors, takenErrors } from './constraints.ts';
import { errorTable } from './errors.ts';
import './vocabulary.ts';

/** The shop that this service is, as its kernel is told of it. */
export const shop: Shop = {
  errors: errorTable,
  takenErrors,
  drawnErrors,
  rolesWith,
  isOfStaff,
  isInConsole,
  personalFields,
};
