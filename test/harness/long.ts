import { inject, test } from 'vitest';

/** True in `npm run test:long`. */
export const isLong = inject('isLong') === true;

/** A test of `npm run test:long` alone; `npm test` counts it as skipped. */
export const long = isLong ? test : test.skip;
