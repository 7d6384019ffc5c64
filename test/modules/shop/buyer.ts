import { generatePepper } from '../../../src/kernel/auth/secret-token.ts';
import type { Store } from '../../harness/store.ts';
import { pictures } from '../../lib/pictures.ts';
import { type Visit, visit } from './visitor.ts';

type Fields = Record<string, string | readonly string[]>;

/** The fields of a form, as a browser without scripts would send them. */
export function fieldsOf(html: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    const name = attribute('name');
    if (name === undefined || attribute('type') === 'file') continue;
    if (attribute('type') === 'radio' && !/ checked(=|\s|\/|>)/.test(tag)) continue;
    found[name] = attribute('value') ?? '';
  }
  return found;
}

export async function send(
  store: Store,
  slug: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Visit> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) body.append(name, one);
  return visit(store, `/checkout/${slug}`, { method: 'POST', body, headers });
}

/**
 * Opens the page of a product and buys it.
 * @returns the answer to the form
 */
export async function buy(
  store: Store,
  slug: string,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<Visit> {
  const page = await visit(store, `/checkout/${slug}`);
  const typed = { name: 'Dewi Kartika', email: 'dewi@people.example', phone: '0812 3456 7890' };
  return send(
    store,
    slug,
    { ...fieldsOf(page.text), ...typed, ...fields, action: 'order' },
    headers,
  );
}

/** The path of the order's page in the answer to a form. */
export const orderPath = ({ headers }: Visit): string => headers.get('location') ?? '';

export function report(store: Store, path: string, bytes = pictures.png): Promise<Visit> {
  const body = new FormData();
  body.set('file', new File([bytes], 'receipt.png'));
  return visit(store, `${path}/proof`, { method: 'POST', body });
}

/** Finds the ids of a buyer's orders. */
export async function orderIdsOf(store: Store, email: string): Promise<number[]> {
  const { rows } = await store.database.query<{ id: string }>(
    'select o.id from orders o join users u on u.id = o.user_id where u.email = $1',
    [email],
  );
  return rows.map(({ id }) => Number(id));
}

/**
 * Puts a new pepper before the first.
 * @returns a function that drops it
 */
export async function rotatePeppers(store: Store): Promise<() => void> {
  const environment = await store.environment;
  const { API_KEY_PEPPERS } = environment;
  const use = (peppers: string | undefined) => {
    Object.assign(environment, { API_KEY_PEPPERS: peppers });
    store.restart();
  };
  use(`${generatePepper(2)} ${API_KEY_PEPPERS}`);
  return () => use(API_KEY_PEPPERS);
}
