import { defineConfig } from 'vitest/config';
import { usual } from './vitest.config.ts';

/** Tests that `npm test` runs in part: the cases of `isLong` and `long` are added here. */
const inFull = [
  'test/{console,contract,stores}/*.test.ts',
  'test/local/start*.test.ts',
  'test/worker/{build,deploy}.test.ts',
];

/** The long proofs: `npm run test:long -- FOLDER`. */
export default defineConfig({
  test: {
    ...usual,
    include: ['test/**/*.long.ts', ...inFull],
    provide: { kills: 20, isLong: true },
    reporters: ['verbose'],
    // The service's own lines are no progress.
    onConsoleLog: (log) => !log.startsWith('{"level"'),
    testTimeout: 600_000,
  },
});
