import { defineConfig } from 'vitest/config';

// The tests that need no database, of the modules that stryker.config.mjs names.
export default defineConfig({
  test: {
    include: [
      'test/auth/*.test.ts',
      'test/events/{feed-parts,retry-times,signatures}.test.ts',
      'test/http/pagination.test.ts',
      'test/lib/money.test.ts',
      'test/resources/{commissions-{earned,hand,moved},coupons-rules,pricing}.test.ts',
    ],
    testTimeout: 30_000,
  },
});
