import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { release } from '../../kernel/deployment/release.ts';
import type { Answer, Deployment } from './asking.ts';

export interface Finding {
  readonly found: string;
  readonly isRight: boolean;
}

/** A check of something that depends on Neon or Cloudflare. */
export interface Check {
  readonly name: string;
  /** An effect on the caller, printed before the check. */
  readonly warning?: string;
  readonly run: (deployment: Deployment) => Promise<Finding>;
}

const finding = (isRight: boolean, found: string): Finding => ({ found, isRight });

const data = <T>(schema: z.ZodType<T>, { status, body }: Answer): T => {
  const result = z.object({ data: schema }).safeParse(body);
  if (result.success) return result.data.data;
  const said = z.object({ message: z.string() }).safeParse(body).data?.message;
  throw new Error(`it answered ${status}${said ? `: ${said}` : ''}`);
};

const User = z.object({ id: z.int(), version: z.int() });

/** Creates a user for a check, and deletes it afterwards. */
async function withUser<T>(
  deployment: Deployment,
  work: (user: z.output<typeof User>) => Promise<T>,
): Promise<T> {
  const email = `${crypto.randomUUID()}@check.example`;
  const user = data(User, await deployment.call('POST', '/users', { email }));
  try {
    return await work(user);
  } finally {
    await deployment.call('DELETE', `/users/${user.id}`);
  }
}

/** Describes response times. Slow answers took more than three times the median. */
function paceOf(answers: readonly Answer[]): string {
  const times = answers.map(({ took }) => took).toSorted((one, other) => one - other);
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const slow = times.filter((time) => time > 3 * middle).length;
  return `${Math.round(middle)} ms median, ${Math.round(times.at(-1) ?? 0)} ms at most, ${slow} of ${times.length} slow`;
}

const reads = 40;

/** The most wrong keys that are sent to reach a limit, which Cloudflare counts a little late. */
export const wrongKeys = 300;

/** Seconds within which an event must be delivered. */
const delivery = 90;

export const checks: readonly Check[] = [
  {
    name: 'version',
    run: async (deployment) => {
      const { status, body } = await deployment.ask('GET', '/healthz');
      const { version, schema } = (body ?? {}) as Record<string, unknown>;
      const isOwn = version === release.version && schema === release.schema;
      return finding(
        status === 200 && isOwn,
        `${String(version)}, schema ${String(schema)}${isOwn ? '' : `; here ${release.version}, ${release.schema}`}`,
      );
    },
  },
  {
    name: 'database',
    run: async (deployment) => {
      const { status, took, database } = await deployment.call('GET', '//readyz?fresh');
      return finding(
        status === 200,
        `${status} in ${Math.round(took)} ms, ${database} of them in the database`,
      );
    },
  },
  {
    name: 'pages',
    run: async (deployment) => {
      const paths = ['/docs', '/openapi.json', '/llms.txt', '/console/'];
      const answers = await Promise.all(paths.map((path) => deployment.ask('GET', path)));
      const lost = paths.filter((_, i) => (answers[i]?.status ?? 500) >= 400);
      return finding(
        lost.length === 0,
        lost.length > 0 ? `missing: ${lost.join(' ')}` : 'all there',
      );
    },
  },
  {
    name: 'reads',
    run: async (deployment) => {
      const answers: Answer[] = [];
      for (let n = 0; n < reads; n++)
        answers.push(await deployment.call('GET', '/users?per_page=1'));
      const isRight = answers.every(({ status, trips }) => status === 200 && trips === 1);
      return finding(isRight, `one trip each; ${paceOf(answers)}`);
    },
  },
  {
    name: 'reads at once',
    run: async (deployment) => {
      const answers = await Promise.all(
        Array.from({ length: reads }, () => deployment.call('GET', '/users?per_page=1')),
      );
      const failed = answers.filter(({ status }) => status !== 200).length;
      return finding(failed === 0, `${failed} failed; ${paceOf(answers)}`);
    },
  },
  {
    name: 'a write twice',
    run: async (deployment) => {
      const key = { 'idempotency-key': crypto.randomUUID() };
      const email = `${crypto.randomUUID()}@check.example`;
      const write = () => deployment.call('POST', '/users', { email }, key);
      const [first, second] = [await write(), await write()];
      const { id } = data(User, first);
      await deployment.call('DELETE', `/users/${id}`);
      const isSame = JSON.stringify(first.body) === JSON.stringify(second.body);
      return finding(
        isSame && first.trips === 2,
        `${first.trips} trips, ${Math.round(first.took)} ms; ${isSame ? 'one answer' : 'two answers'}`,
      );
    },
  },
  {
    name: 'writes at once',
    run: async (deployment) =>
      withUser(deployment, async ({ id, version }) => {
        const condition = { 'if-match': String(version) };
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            deployment.call('PATCH', `/users/${id}`, { display_name: `Check ${n}` }, condition),
          ),
        );
        const won = answers.filter(({ status }) => status === 200).length;
        return finding(won === 1, `${won} of 8 writes with the same version succeeded`);
      }),
  },
  {
    name: 'revocation',
    run: async (deployment) =>
      withUser(deployment, async ({ id }) => {
        const Token = z.object({ token: z.string() });
        const { token } = data(Token, await deployment.call('POST', '/sessions', { user_id: id }));
        const me = () =>
          deployment.call('GET', '/me', undefined, { authorization: `Bearer ${token}` });
        const before = await me();
        await deployment.call('POST', `/users/${id}/sessions/revoke`, {});
        const after = await me();
        return finding(
          before.status === 200 && after.status === 401,
          `${before.status}, then ${after.status}`,
        );
      }),
  },
  {
    name: 'a file',
    run: async (deployment) => {
      const { status, body } = await deployment.call('GET', '/users.csv');
      const lines = String(body).trim().split('\n').length;
      return finding(status === 200, `${status}, ${lines} lines`);
    },
  },
  {
    name: 'scheduler',
    run: async (deployment) => {
      await deployment.call('GET', '//readyz?fresh');
      const { status, trips } = await deployment.ask('GET', '/readyz');
      const isKept = status === 200 && trips === 0;
      return finding(
        isKept,
        isKept ? 'keeps the last contact' : 'keeps no contact: is SCHEDULER bound?',
      );
    },
  },
  {
    name: 'deliveries',
    run: async (deployment) => {
      const webhook = data(
        z.object({ id: z.int() }),
        await deployment.call('POST', '/webhooks', {
          name: 'check:deployment',
          url: deployment.sink,
          events: ['user.created'],
        }),
      );
      try {
        const seconds = await deliveredAfter(deployment, webhook.id);
        return finding(
          seconds !== undefined,
          seconds === undefined
            ? `nothing delivered within ${delivery} s`
            : `delivered after ${seconds} s`,
        );
      } finally {
        await deployment.call('DELETE', `/webhooks/${webhook.id}`);
      }
    },
  },
  {
    name: 'out of order',
    run: async (deployment) => {
      const Figures = z.object({
        figures: z.record(z.string(), z.object({ passed: z.boolean() })),
      });
      const { figures } = data(Figures, await deployment.call('GET', '/status'));
      const passed = Object.keys(figures).filter((name) => figures[name]?.passed);
      return finding(passed.length === 0, passed.join(', ') || 'nothing');
    },
  },
  {
    name: 'lacks',
    run: async (deployment) => {
      const { missing } = data(
        z.object({ missing: z.array(z.string()) }),
        await deployment.call('GET', '/overview'),
      );
      return finding(missing.length === 0, missing.join(', ') || 'nothing');
    },
  },
  {
    // Only refusals name a limit. It is the last check: the address is then over the limit of failures for a minute.
    name: 'limits',
    warning: `limits: sending up to ${wrongKeys} wrong keys, until they are limited. For the next minute your address gets 429 for wrong keys.`,
    run: async (deployment) => {
      const guess = () =>
        deployment.call('GET', '/users', undefined, { authorization: 'Bearer wrong' });
      for (let sent = 0; sent < wrongKeys; sent += 10) {
        const answers = await Promise.all(Array.from({ length: 10 }, guess));
        const refusal = answers.find(({ status }) => status === 429);
        const policy = refusal?.headers.get('ratelimit-policy');
        if (policy) return finding(true, policy);
        if (refusal)
          return finding(
            false,
            'a 429 has no RateLimit-Policy: deploy by `npm run store` or `npm run deploy`',
          );
      }
      return finding(false, `${wrongKeys} wrong keys within a minute were not limited`);
    },
  },
];

/**
 * Triggers an event and waits for its delivery.
 * @returns seconds; undefined if it was not delivered in time
 */
async function deliveredAfter(
  deployment: Deployment,
  webhook: number,
): Promise<number | undefined> {
  return withUser(deployment, async () => {
    const began = performance.now();
    for (let seconds = 0; seconds < delivery; seconds++) {
      const answer = await deployment.call('GET', `/webhooks/${webhook}/deliveries?status=success`);
      if (data(z.array(z.unknown()), answer).length > 0)
        return Math.round((performance.now() - began) / 1000);
      await pause(1000);
    }
    return undefined;
  });
}
