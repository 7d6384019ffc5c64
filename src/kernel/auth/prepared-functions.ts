import { storedFunctions } from '../database/prepared.ts';
import { writer } from '../database/writing.ts';
import { authorisations } from './principals.ts';

/** The functions of all prepared trips, and those that write, for every kind of caller. */
export const preparedFunctions = async () => [
  ...(await storedFunctions(Object.values(authorisations))),
  ...(await Promise.all([undefined, ...Object.values(authorisations)].map(writer))),
];
