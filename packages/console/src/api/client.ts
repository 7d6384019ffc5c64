import { ApiError } from '../../../client/src/errors.ts';
import type { Call } from '../../../client/src/operation.ts';
import { type Send, sender } from '../../../client/src/transport.ts';
import { treeOf } from '../../../client/src/tree.ts';
import { noteCall } from './calls.ts';
import { nameErased } from './erased.ts';
import { type Operations, operations } from './generated.ts';
import { inWords, noteRefusal, signInAgain, takesNewSignIn } from './refusals.ts';

const base = '/console/api';

/** Finds the console's own operations at its base, and those for API keys one folder below. */
const addresses = {
  of: ({ path, operation: { traits } }: Call) =>
    traits.includes('c') ? base + path : `${base}/v1${path}`,
  lookUp: async () => {},
};

// The cookie identifies the caller. The header proves that this page made the request: no form of another page could
// set it.
const transport = sender({ url: base, tries: 3 }, () => ({ 'x-console': '1' }), addresses);

const send: Send = async (call) => {
  noteCall(call);
  try {
    const answer = await transport(call);
    if (document.documentElement.lang === 'id') nameErased(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (takesNewSignIn(error) && (await signInAgain())) return send(anew(call));
    noteRefusal(error);
    throw await inWords(error);
  }
};

/** A new call with the same arguments, not a repeat of the refused one. */
const anew = (call: Call): Call => ({
  ...call,
  options: { ...call.options, idempotencyKey: crypto.randomUUID() },
});

/** Every operation of the console, named by its id: `api.orders.list({ status: 'on-hold' })`. */
export const api = treeOf(operations, send, (id) => id) as unknown as Operations;

export const pictureAddress = (confirmationId: number): string =>
  `${base}/v1/confirmations/${confirmationId}/proof`;
