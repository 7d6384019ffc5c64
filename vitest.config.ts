import { defineConfig } from 'vitest/config';

/** What all tests run with that need a database. */
export const usual = {
  globalSetup: ['test/harness/global.ts'],
  // Two cores: more workers only make the database's callers wait for each other.
  maxWorkers: 2,
  // Requests leave much garbage: young space for it spares collections.
  execArgv: ['--max-semi-space-size=32'],
  // A guard against what hangs, not a measure: a busy machine may take long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // What is awaited may take as long on a busy machine as what is clicked.
  expect: { poll: { timeout: 12_000 } },
};

/** Tests that change modules for the whole process: mocks, trips of their own, the driver's way out. */
const alone = [
  'test/bench/launch/*.test.ts',
  'test/contract/prepared.test.ts',
  'test/kernel/database/prepared.test.ts',
  'test/local/neon*.test.ts',
  'test/modules/{modules,wishlist}.test.ts',
];

export default defineConfig({
  test: {
    ...usual,
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
