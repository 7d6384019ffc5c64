import { neon, neonConfig } from '@neondatabase/serverless';

interface Env {
  DATABASE_URL: string;
  DATABASE_ENDPOINT: { fetch(url: string, init?: RequestInit): Promise<Response> };
}

interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

let sql: ReturnType<typeof connect> | undefined;

/** The least a worker can do that asks the database: one `SELECT 1` through the same driver. */
export default {
  async fetch(_request: Request, env: Env): Promise<Response> {
    sql ??= connect(env);
    await sql.query('select 1');
    return new Response('ok');
  },
};

/** As the service asks for it: only then does the proxy pool connections. */
function connect({ DATABASE_URL, DATABASE_ENDPOINT }: Env) {
  neonConfig.fetchFunction = (url: string, init: DriverRequest) =>
    DATABASE_ENDPOINT.fetch(url, {
      ...init,
      headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' },
    });
  return neon(DATABASE_URL);
}
