import { startNeonEndpoint } from '../../src/local/neon/index.ts';

// The Neon endpoint as a process of its own, so that it doesn't share a thread with the callers.
const [databaseUrl = ''] = process.argv.slice(2);
const { url } = await startNeonEndpoint({ resolve: () => databaseUrl });
process.send?.({ url });
process.once('disconnect', () => process.exit());
