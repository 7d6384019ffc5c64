import { neon, neonConfig } from '@neondatabase/serverless';
import type { Sent } from './sent.ts';

interface Env {
  DATABASE_URL: string;
  QUERIES: string;
  DATABASE_ENDPOINT: { fetch(url: string, init?: RequestInit): Promise<Response> };
}

interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

let queries: Record<string, Sent[]> | undefined;
type Database = ReturnType<typeof connect>;
let sql: Database | undefined;

/** The smallest worker that queries the database: it sends the query of the path and returns its rows. */
export default {
  async fetch({ url }: Request, env: Env): Promise<Response> {
    queries ??= JSON.parse(env.QUERIES) as Record<string, Sent[]>;
    sql ??= connect(env);
    const sent = queries[new URL(url).pathname];
    if (!sent) return new Response('There is no such query.', { status: 404 });
    return Response.json(await answersTo(sent, sql));
  },
};

function answersTo([first, ...others]: readonly Sent[], database: Database) {
  const ask = ({ text, params }: Sent) => database.query(text, params);
  if (!first) return [];
  if (others.length === 0) return ask(first);
  return database.transaction([first, ...others].map(ask), { readOnly: true });
}

/** Pools connections as the service does. */
function connect({ DATABASE_URL, DATABASE_ENDPOINT }: Env) {
  neonConfig.fetchFunction = (url: string, init: DriverRequest) =>
    DATABASE_ENDPOINT.fetch(url, {
      ...init,
      headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' },
    });
  return neon(DATABASE_URL, { arrayMode: true });
}
