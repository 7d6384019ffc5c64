import { defineConfig } from 'vitest/config';

// The tests that need no database, of the modules that stryker.config.mjs names.
export default defineConfig({
  test: {
    include: [
      'test/kernel/auth/*.test.ts',
      'test/kernel/events/{feed-parts,retry-times,signatures}.test.ts',
      'test/kernel/lists/*.test.ts',
      'test/lib/money.test.ts',
      'test/domain/commission/*.test.ts',
      'test/domain/coupon/*.test.ts',
      'test/domain/pricing/*.test.ts',
    ],
    testTimeout: 30_000,
  },
});
