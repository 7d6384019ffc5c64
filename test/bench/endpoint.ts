import { startNeonEndpoint } from '../../src/local/neon/index.ts';

// The Neon endpoint as a process of its own, so that it doesn't share a thread with the callers. It asks
// PostgreSQL as the proxy does, each exchange EXCHANGE_DELAY milliseconds longer, and pools for everybody:
// an earlier commit does not opt in.
const [databaseUrl = ''] = process.argv.slice(2);
const { url } = await startNeonEndpoint({
  resolve: () => databaseUrl,
  exchangeDelay: Number(process.env['EXCHANGE_DELAY'] ?? 0),
  poolOptIn: false,
});
process.send?.({ url });
process.once('disconnect', () => process.exit());
