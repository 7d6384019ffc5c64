import { inject, test } from 'vitest';

export const isLong = inject('isLong') === true;

/** A test of `npm run test:long`; `npm test` counts it as skipped. */
export const long = isLong ? test : test.skip;

/** Returns the runs of a property about whole stores: a third of them in `npm test`. */
export const runs = (all: number): number => (isLong ? all : Math.ceil(all / 3));
