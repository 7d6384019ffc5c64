import type { Config } from '../../config.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import { hashToken } from '../../kernel/auth/secret-token.ts';
import { addSeconds } from '../../lib/instant.ts';
import type { Person } from '../../domain/user/rules.ts';

type Peppers = Pick<Authority, 'peppers'>;

/** HMACs of a text under each pepper, the current one first. */
const hashesOf = async (text: string, { peppers }: Peppers): Promise<string[]> =>
  (await hashToken(text, peppers)).map(({ hash }) => hash);

/** The keys under which a form may be stored. A new form is stored under the first. */
export const formKeys = (key: string, authority: Peppers): Promise<string[]> =>
  hashesOf(`purchase form ${key}`, authority);

/** Addresses of this machine identify no network. */
const ofMachine = /^(127\.|::1$|$)/;

/** The daily HMACs of an address's network in the last hour, the newest first; none for an unknown address. */
export async function networksOf(
  address: string,
  authority: Peppers,
  now: Date,
): Promise<string[]> {
  if (ofMachine.test(address)) return [];
  const part = address.includes(':')
    ? groupsOf(address).slice(0, 4).join(':')
    : address.split('.').slice(0, 3).join('.');
  const moments = [now.toISOString(), addSeconds(now.toISOString(), -3600)];
  const days = new Set(moments.map((moment) => moment.slice(0, 10)));
  const hashes = [...days].map((day) => hashesOf(`network ${day} ${part}`, authority));
  return (await Promise.all(hashes)).flat();
}

function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':'));
  const missing = address.includes('::') ? 8 - before.length - after.length : 0;
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after].map((group) =>
    Number.parseInt(group || '0', 16).toString(16),
  );
}

/** Hexadecimal digits of a link's proof: 128 bits. */
const proofLength = 32;

/** The token of an order's link. It is stored nowhere. */
export async function orderToken(order_id: number, generation: number, authority: Peppers) {
  const named = `${order_id}-${generation}`;
  const [hash = ''] = await hashesOf(`order ${named}`, authority);
  return `${named}-${hash.slice(0, proofLength)}`;
}

/** `generation` must be the order's current one. */
export interface LinkedOrder {
  readonly id: number;
  readonly generation: number;
}

/** Reads an order's token under any pepper; undefined for an invalid one. */
export async function linkedOrder(
  token: string,
  authority: Peppers,
): Promise<LinkedOrder | undefined> {
  const [, id, generation] = /^([1-9]\d{0,14})-(\d{1,9})-[0-9a-f]{32}$/.exec(token) ?? [];
  if (id === undefined) return undefined;
  const named = `${id}-${generation}`;
  const hashes = await hashesOf(`order ${named}`, authority);
  const isOurs = hashes.some((hash) => token === `${named}-${hash.slice(0, proofLength)}`);
  return isOurs ? { id: Number(id), generation: Number(generation) } : undefined;
}

/** The current generation of links; null if no link opens the order any more. */
export function generationOf(
  form: { readonly link_generation: number | null } | undefined,
  buyer: Pick<Person, 'status'> | undefined,
): number | null {
  if (!buyer || buyer.status === 'anonymised') return null;
  return form ? form.link_generation : 0;
}

/** Null if the store has no shop pages. */
export const accountPage = ({ BASE_URL, MODULES }: Config): string | null =>
  MODULES.includes('shop') ? `${BASE_URL}/account` : null;

/** Stands for the proof in stored links. */
const hiddenProof = 'x'.repeat(proofLength);

/** Undefined if the store has no shop pages. */
const pageAt = (token: string, { BASE_URL, MODULES }: Config) =>
  MODULES.includes('shop') ? `${BASE_URL}/order/${token}` : undefined;

/** Undefined if the store has no shop pages. */
export async function orderLink(
  order_id: number,
  generation: number | null,
  { config, authority }: { readonly config: Config; readonly authority: Peppers },
): Promise<string | undefined> {
  if (generation === null) return undefined;
  return pageAt(await orderToken(order_id, generation, authority), config);
}

/** The link without its proof, as messages store it; null if there is none. */
export function hiddenLink(
  order_id: number,
  generation: number | null,
  config: Config,
): string | null {
  if (generation === null) return null;
  return pageAt(`${order_id}-${generation}-${hiddenProof}`, config) ?? null;
}

/** Puts the proofs back into links that were stored without them. */
export async function revealed(
  text: string,
  order_id: number,
  authority: Peppers,
): Promise<string> {
  const hidden = new RegExp(`(?<=/order/)${order_id}-(\\d{1,9})-${hiddenProof}(?!x)`);
  const [mark, generation] = hidden.exec(text) ?? [];
  if (mark === undefined) return text;
  return text.replaceAll(mark, await orderToken(order_id, Number(generation), authority));
}
