// The test of `npm test` with the number of kills from vitest.long.config.ts.
import '../kernel/events/kills.test.ts';
