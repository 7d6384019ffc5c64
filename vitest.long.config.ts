import { defineConfig } from 'vitest/config';
import { usual } from './vitest.config.ts';

/** All tests in full, and the long proofs: `npm run test:long -- FOLDER`. */
export default defineConfig({
  test: {
    ...usual,
    include: ['test/**/*.{test,long}.ts'],
    provide: { kills: 20, isLong: true },
    reporters: ['verbose'],
    // The service's own lines are no progress.
    onConsoleLog: (log) => !log.startsWith('{"level"'),
    testTimeout: 600_000,
  },
});
