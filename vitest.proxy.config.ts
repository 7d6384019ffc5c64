import { defineConfig } from 'vitest/config';
import { usual } from './vitest.config.ts';

/**
 * Any tests, with PostgreSQL asked as Neon's proxy asks it: statement after statement, each a
 * millisecond's exchanges away. `npm run test:proxy` runs the races so.
 */
export default defineConfig({
  test: {
    ...usual,
    include: ['test/**/*.test.ts'],
    provide: { exchangeDelay: 1 },
  },
});
