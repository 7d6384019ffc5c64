import type { Config } from './config.ts';
import type { Endpoint } from './kernel/endpoint/endpoint.ts';
import type { Resource } from './kernel/endpoint/resource.ts';
import { modules, modulesOf } from './modules/index.ts';
import * as access from './operations/access/index.ts';
import * as affiliates from './operations/affiliates/index.ts';
import * as audit from './operations/audit/index.ts';
import * as checkout from './operations/checkout/index.ts';
import * as commissions from './operations/commissions/index.ts';
import * as confirmations from './operations/confirmations/index.ts';
import * as consoleSessions from './operations/console/index.ts';
import * as coupons from './operations/coupons/index.ts';
import * as groups from './operations/groups/index.ts';
import * as keys from './operations/keys/index.ts';
import * as licenses from './operations/licenses/index.ts';
import * as me from './operations/me/index.ts';
import * as media from './operations/media/index.ts';
import * as messageSuppressions from './operations/message-suppressions/index.ts';
import * as messageTemplates from './operations/message-templates/index.ts';
import * as messages from './operations/messages/index.ts';
import * as notify from './operations/notify/index.ts';
import * as orders from './operations/orders/index.ts';
import * as overview from './operations/overview/index.ts';
import * as payments from './operations/payments/index.ts';
import * as payouts from './operations/payouts/index.ts';
import * as platform from './operations/platform/index.ts';
import * as products from './operations/products/index.ts';
import * as refunds from './operations/refunds/index.ts';
import * as reminderTemplates from './operations/reminder-templates/index.ts';
import * as reminders from './operations/reminders/index.ts';
import * as sessions from './operations/sessions/index.ts';
import * as settings from './operations/settings/index.ts';
import * as subscriptions from './operations/subscriptions/index.ts';
import * as users from './operations/users/index.ts';
import * as webhooks from './operations/webhooks/index.ts';

const isEndpoint = (item: unknown): item is Endpoint =>
  typeof item === 'object' && item !== null && 'handler' in item;

const resource = (name: string, description: string, ...folders: object[]): Resource => ({
  name,
  description,
  endpoints: folders.flatMap((folder) => Object.values(folder)).filter((item) => isEndpoint(item)),
});

/**
 * The resources, in the order the documentation shows them. A new operation takes a line in the
 * `index.ts` of its folder; a new folder takes one here.
 */
const resources: readonly Resource[] = [
  resource('Orders', 'What was sold, at what price, and how far it has got.', orders),
  resource('Overview', 'What the store sold, and what waits to be done.', overview),
  resource('Payments', 'Payment gateways, and how an order is paid.', payments),
  resource('Confirmations', 'Payments that buyers report, and their review.', confirmations),
  resource('Refunds', 'Money returned to buyers, in part or in full.', refunds),
  resource('Products', 'What is sold: prices, stock, variants, shipping.', products),
  resource('Checkout', 'What a purchase would cost, and quotes that hold the price.', checkout),
  resource('Coupons', "Discounts by code: the store's own, templates and their copies.", coupons),
  resource('Access', 'Who may use what they bought, and the content it opens.', access),
  resource(
    'Subscriptions',
    'What is paid for time and again: its end, pauses, payment plans, and how it is cancelled.',
    subscriptions,
  ),
  resource('Licences', 'Codes that activate software, and where it is in use.', licenses),
  resource(
    'Commissions',
    'What affiliates earn: a ledger that keeps up with the orders.',
    commissions,
  ),
  resource(
    'Affiliates',
    'Links, earnings and rankings of those who sell for the store.',
    affiliates,
  ),
  resource('Payouts', 'What affiliates were paid.', payouts),
  resource('Users', 'Buyers, affiliates and staff, and who brought whom.', users),
  resource('User groups', 'Prices, commissions and permissions that users share.', groups),
  resource(
    'Reminders',
    'Messages to buyers, sent individually or by template.',
    reminders,
    reminderTemplates,
  ),
  resource(
    'Messages',
    'What people are told by e-mail and WhatsApp, in which words, and what became of it.',
    messages,
    messageTemplates,
    messageSuppressions,
  ),
  resource('Sessions', "Tokens with which a user's app calls `/me`.", sessions),
  resource('Me', 'What users see and do with their own session token.', me, media),
  resource('Webhooks', 'Where events are sent, and what became of them.', webhooks, notify),
  resource('Audit log', 'Who changed what.', audit),
  resource('Settings', 'How the store works; for administrators only.', settings),
  resource('Platform', 'The service itself: addresses, health, keys, documentation.', platform),
];

/** What the console has to itself: no key and no token reaches it, and no document of the API shows it. */
const ofConsole: readonly Resource[] = [
  resource('Console', 'Signing in to the administration console.', consoleSessions),
  resource('API keys', 'The keys that call the API, and what they are used for.', keys),
];

const declaredBy = (parts: readonly Resource[]): readonly Endpoint[] =>
  parts.flatMap(({ endpoints }) => endpoints);

/** What the documents of the API show: everything the resources and the modules declare. */
export const documentedEndpoints = declaredBy([...resources, ...modules]);

/** The endpoint table: the same, and what the console has to itself. */
export const endpoints = [...documentedEndpoints, ...declaredBy(ofConsole)];

/** What a deployment's documents show: every resource, and of the modules those that are on. */
export const resourcesOf = (config: Pick<Config, 'MODULES'>): readonly Resource[] => [
  ...resources,
  ...modulesOf(config),
];

/** What a deployment serves: the same, and what the console has to itself. */
export const servedResourcesOf = (config: Pick<Config, 'MODULES'>): readonly Resource[] => [
  ...resourcesOf(config),
  ...ofConsole,
];

/** The part of the endpoint table that a deployment serves. */
export const endpointsOf = (config: Pick<Config, 'MODULES'>) =>
  declaredBy(servedResourcesOf(config));
