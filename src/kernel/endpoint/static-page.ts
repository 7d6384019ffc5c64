import type { Context } from 'hono';
import { commonHeaders } from './finish.ts';
import { stateOf } from './request-state.ts';
import type { Deployment } from '../deployment/services.ts';

interface PageAnswer {
  readonly status: number;
  /** Its own headers, besides the common ones. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers with a page of the static files at an address that is no file; undefined if the page was not deployed. */
export async function staticPage(
  c: Context,
  { assets, config }: Deployment,
  path: string,
  { status, headers }: PageAnswer,
): Promise<Response | undefined> {
  const page = await assets?.fetch(config.BASE_URL + path);
  if (!page?.ok) return undefined;
  return new Response(page.body, {
    status,
    headers: {
      ...commonHeaders(stateOf(c)),
      ...headers,
      'content-type': 'text/html; charset=utf-8',
    },
  });
}
