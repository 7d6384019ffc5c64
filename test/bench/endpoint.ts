import { startNeonEndpoint } from '../../src/local/neon/index.ts';

// Runs the Neon endpoint in a process of its own, so that it shares no thread with the callers.
const [databaseUrl = ''] = process.argv.slice(2);
const { url } = await startNeonEndpoint({ resolve: () => databaseUrl });
process.send?.({ url });
process.once('disconnect', () => process.exit());
