import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Endpoint } from './kernel/endpoint/endpoint.ts';
import type { Resource } from './kernel/endpoint/resource.ts';
import { modules, modulesOf } from './modules/index.ts';

const isEndpoint = (item: unknown): item is Endpoint =>
  typeof item === 'object' && item !== null && 'handler' in item;

const folder = join(import.meta.dirname, 'operations');

async function endpointsIn(noun: string): Promise<Endpoint[]> {
  const files = readdirSync(join(folder, noun)).map((file) => join(folder, noun, file));
  const exported = await Promise.all(files.map((file): Promise<object> => import(file)));
  const byName = Object.fromEntries(exported.flatMap((file) => Object.entries(file)));
  const names = Object.keys(byName).toSorted();
  return names.map((name): unknown => byName[name]).filter((item) => isEndpoint(item));
}

/** @param nouns the folders of the resource's operations */
const resource = async (
  name: string,
  description: string,
  ...nouns: string[]
): Promise<Resource> => ({
  name,
  description,
  endpoints: (await Promise.all(nouns.map((noun) => endpointsIn(noun)))).flat(),
});

const isOfConsole = ({ access }: Endpoint) => access.kind === 'console';

/**
 * The resources, in the order of the documentation. A new operation needs only its file; a new folder needs a line
 * here.
 */
const declared = await Promise.all([
  resource('Orders', 'Orders with their prices and statuses.', 'orders'),
  resource('Overview', 'The sales of the store, and its open tasks.', 'overview'),
  resource('Status', 'The health of the deployment, for its operator.', 'status'),
  resource('Payments', 'Payment gateways, and how an order is paid.', 'payments'),
  resource('Confirmations', 'Payments that buyers report, and their review.', 'confirmations'),
  resource('Refunds', 'Money returned to buyers, in part or in full.', 'refunds'),
  resource('Products', 'The goods: prices, stock, variants, shipping.', 'products'),
  resource('Checkout', 'The price of a purchase, and quotes that hold it.', 'checkout'),
  resource('Coupons', "Discounts by code: the store's own, templates and their copies.", 'coupons'),
  resource('Access', 'Access of buyers to products, and the content that products open.', 'access'),
  resource('Files', 'Files that buyers download.', 'files'),
  resource(
    'Subscriptions',
    'Products that are paid for repeatedly: their end, pauses, payment plans and cancellation.',
    'subscriptions',
  ),
  resource('Licences', 'Codes that activate software, and the sites that use them.', 'licenses'),
  resource(
    'Commissions',
    'The earnings of affiliates: a ledger that follows the orders.',
    'commissions',
  ),
  resource(
    'Affiliates',
    'Links, earnings and rankings of those who sell for the store.',
    'affiliates',
  ),
  resource(
    'Risks',
    'Suspicions that affiliates earn from their own purchases, and decisions on them.',
    'risks',
  ),
  resource(
    'Payouts',
    'Payments to affiliates: one by one, or many in a run.',
    'payouts',
    'payout-runs',
  ),
  resource('Users', 'Buyers, affiliates and staff, and who referred whom.', 'users'),
  resource('Staff roles', 'The rights of people who work in the console.', 'staff-roles'),
  resource('User groups', 'Prices, commissions and permissions that users share.', 'groups'),
  resource(
    'Reminders',
    'Messages to buyers, sent individually or by template.',
    'reminders',
    'reminder-templates',
  ),
  resource(
    'Messages',
    'Messages by e-mail and WhatsApp: their templates, and their delivery.',
    'messages',
    'message-templates',
    'message-suppressions',
  ),
  resource('Sessions', "Tokens with which a user's app calls `/me`.", 'sessions'),
  resource('Me', 'Requests of users with their own session token.', 'me', 'media'),
  resource('Webhooks', 'Receivers of events, and the log of deliveries.', 'webhooks', 'notify'),
  resource('Audit log', 'Changes and their authors.', 'audit'),
  resource('Settings', 'The settings of the store; for administrators only.', 'settings'),
  resource('Platform', 'The service itself: addresses, health, keys, documentation.', 'platform'),
]);

const part = (whole: Resource, holds: (endpoint: Endpoint) => boolean): Resource => ({
  ...whole,
  endpoints: whole.endpoints.filter((each) => holds(each)),
});

const resources = declared.map((each) => part(each, (endpoint) => !isOfConsole(endpoint)));

/** Resources of the console alone: no key or token reaches them, and no API document shows them. */
const ofConsole = [
  ...(await Promise.all([
    resource('Console', 'Signing in to the administration console.', 'console'),
    resource('API keys', 'The keys that call the API, and what they are used for.', 'keys'),
  ])),
  ...declared.map((each) => part(each, isOfConsole)),
].filter(({ endpoints }) => endpoints.length > 0);

const declaredBy = (parts: readonly Resource[]): readonly Endpoint[] =>
  parts.flatMap(({ endpoints }) => endpoints);

export const documentedEndpoints = declaredBy([...resources, ...modules]);

export const endpoints = [...documentedEndpoints, ...declaredBy(ofConsole)];

export const pages = modules.flatMap((module) => module.pages ?? []);

/** The resources in a deployment's documents. */
export const resourcesOf = (config: Pick<Config, 'MODULES'>): readonly Resource[] => [
  ...resources,
  ...modulesOf(config),
];

export const servedResourcesOf = (config: Pick<Config, 'MODULES'>): readonly Resource[] => [
  ...resourcesOf(config),
  ...ofConsole,
];

export const endpointsOf = (config: Pick<Config, 'MODULES'>) =>
  declaredBy(servedResourcesOf(config));
