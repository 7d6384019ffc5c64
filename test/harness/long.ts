import { inject, test } from 'vitest';

export const isLong = inject('isLong') === true;

/** A test of `npm run test:long`; `npm test` counts it as skipped. */
export const long = isLong ? test : test.skip;

/** Returns the runs of a property about whole stores: a tenth of them in `npm test`. */
export const runs = (all: number): number => (isLong ? all : Math.ceil(all / 10));

/** Returns the number of a race's callers: a quarter of them in `npm test`. */
export const crowdOf = (all: number): number => (isLong ? all : Math.ceil(all / 4));
