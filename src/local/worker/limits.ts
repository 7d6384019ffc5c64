/** The file of the worker's module, beside the module of its limits. */
export const service = 'service.js';

/**
 * Makes the text of a module that runs a worker within the platform's limits, which workerd lacks: the calls of an
 * invocation, six unanswered calls at once, and 30 seconds after its answer. It needs the flag `nodejs_als`.
 * @param calls the calls to the database and to other servers; further ones fail
 * @param scheduler true if the worker has the class `Scheduler`
 */
export const limitsModule = (calls: number, scheduler: boolean): string => `
import { AsyncLocalStorage } from 'node:async_hooks';
import * as service from './${service}';

const invocations = new AsyncLocalStorage();
const begin = () => ({ left: ${calls}, free: 6, waiting: [], end: Infinity });

/** Counts a call against the invocation that makes it. */
const counted = (send) => async (...request) => {
  const invocation = invocations.getStore();
  if (!invocation) return send(...request);
  if (Date.now() > invocation.end) throw new Error('The invocation ended 30 seconds after its answer.');
  if (invocation.left === 0) throw new Error('Too many subrequests by single Worker invocation.');
  invocation.left--;
  if (invocation.free === 0) await new Promise((resolve) => invocation.waiting.push(resolve));
  else invocation.free--;
  try {
    return await send(...request);
  } finally {
    const next = invocation.waiting.shift();
    if (next) next();
    else invocation.free++;
  }
};

globalThis.fetch = counted(globalThis.fetch);

const within = (env) => {
  const own = { ...env };
  for (const name of ['DATABASE_ENDPOINT', 'DEV_OUTBOUND']) {
    if (env[name]) own[name] = { fetch: counted((...request) => env[name].fetch(...request)) };
  }
  return own;
};

export default {
  ...service.default,
  fetch: (request, env, context) => {
    const invocation = begin();
    return invocations.run(invocation, async () => {
      const response = await service.default.fetch(request, within(env), context);
      // Sending a file may take longer.
      if (!response.headers.has('content-disposition')) invocation.end = Date.now() + 30_000;
      return response;
    });
  },
  ...(service.default.scheduled && {
    scheduled: (event, env, context) =>
      invocations.run(begin(), () => service.default.scheduled(event, within(env), context)),
  }),
};
${
  scheduler
    ? `
export class Scheduler extends service.Scheduler {
  constructor(context, env) {
    super(context, within(env));
  }
${['wake', 'goOn', 'run', 'perform', 'alarm']
  .map(
    (name) =>
      `  ${name}(...args) {\n    return invocations.run(begin(), () => super.${name}(...args));\n  }`,
  )
  .join('\n')}
}
`
    : ''
}`;
