import { generatePepper } from '../kernel/auth/secret-token.ts';
import { generateSessionKey } from '../kernel/auth/session-token.ts';

// The secrets of a new deployment that can be made here, in the form `wrangler secret bulk` takes.
console.log(`API_KEY_PEPPERS=${generatePepper(1)}`);
console.log(`SESSION_KEYS=${JSON.stringify({ keys: [await generateSessionKey()] })}`);
