// As in `npm test`, with the kills that vitest.long.config.ts provides.
import '../kernel/events/kills.test.ts';
