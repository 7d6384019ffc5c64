import { inject, test } from 'vitest';

export const isLong = inject('isLong') === true;

/** A test of `npm run test:long`; `npm test` counts it as skipped. */
export const long = isLong ? test : test.skip;
