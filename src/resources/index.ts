import type { Config } from '../config.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Resource } from '../http/resource.ts';
import { modules, modulesOf } from '../modules/index.ts';
import * as access from './access/endpoints/index.ts';
import * as click from './affiliates/click.ts';
import * as affiliates from './affiliates/endpoints.ts';
import * as checkout from './checkout/endpoints.ts';
import * as commissions from './commissions/endpoints.ts';
import * as confirmations from './confirmations/endpoints.ts';
import * as coupons from './coupons/endpoints.ts';
import * as groups from './groups/endpoints.ts';
import * as licenses from './licenses/endpoints/index.ts';
import * as administration from './me/administration.ts';
import * as belongings from './me/belongings.ts';
import * as ownCoupons from './me/coupons.ts';
import * as me from './me/endpoints.ts';
import * as ownSelling from './me/selling.ts';
import * as switching from './me/switching.ts';
import * as media from './media/endpoints.ts';
import * as orders from './orders/endpoints.ts';
import * as summaries from './me/summaries.ts';
import * as payments from './payments/endpoints.ts';
import * as redirectPayments from './payments/redirect-endpoints.ts';
import * as payouts from './payouts/endpoints.ts';
import * as platform from './platform/endpoints.ts';
import * as products from './products/endpoints.ts';
import * as refunds from './refunds/endpoints.ts';
import * as reminders from './reminders/endpoints.ts';
import * as reminderTemplates from './reminders/template-endpoints.ts';
import * as sessions from './sessions/endpoints.ts';
import * as settings from './settings/endpoints.ts';
import * as userChecks from './users/checks.ts';
import * as userTree from './users/tree.ts';
import * as users from './users/endpoints.ts';
import * as deliveries from './webhooks/deliveries.ts';
import * as webhooks from './webhooks/endpoints.ts';
import * as notify from './webhooks/notify.ts';

const isEndpoint = (item: unknown): item is Endpoint =>
  typeof item === 'object' && item !== null && 'handler' in item;

const resource = (name: string, description: string, module: object): Resource => ({
  name,
  description,
  endpoints: Object.values(module).filter((item) => isEndpoint(item)),
});

/**
 * The resources, in the order the documentation shows them. A new endpoint in a folder is in it by
 * being exported; a new folder takes a line here.
 */
const resources: readonly Resource[] = [
  resource('Orders', 'What was sold, at which price, and how far it got.', orders),
  resource('Payments', 'Ways to pay, and how an order is to be paid.', {
    ...payments,
    ...redirectPayments,
  }),
  resource('Confirmations', 'Buyers’ word that they paid, and its review.', confirmations),
  resource('Refunds', 'Money given back, in part or in full.', refunds),
  resource('Products', 'What is sold: prices, stock, variants, shipping.', products),
  resource('Checkout', 'What a purchase would cost, and a quote that holds it.', checkout),
  resource('Coupons', 'Discounts by code: the store’s own, templates and their copies.', coupons),
  resource('Access', 'Who may use what they bought, and the content it opens.', access),
  resource('Licences', 'Codes that software is activated with, and where it is in use.', licenses),
  resource('Commissions', 'What affiliates earn: a ledger that follows the orders.', commissions),
  resource('Affiliates', 'Links, figures and rankings of those who sell for the store.', {
    ...affiliates,
    ...click,
  }),
  resource('Payouts', 'What affiliates were paid.', payouts),
  resource('Users', 'Buyers, affiliates and staff, and who brought whom.', {
    ...users,
    ...userChecks,
    ...userTree,
  }),
  resource('User groups', 'Prices, commissions and rights that users share.', groups),
  resource('Reminders', 'Messages to buyers, by hand and by template.', {
    ...reminders,
    ...reminderTemplates,
  }),
  resource('Sessions', 'Tokens with which the app of a user calls `/me`.', sessions),
  resource('Me', 'What a user may see and do, by their own session token.', {
    ...me,
    ...summaries,
    ...ownSelling,
    ...belongings,
    ...ownCoupons,
    ...administration,
    ...switching,
    ...media,
  }),
  resource('Webhooks', 'Where events are sent to, and what became of them.', {
    ...webhooks,
    ...deliveries,
    ...notify,
  }),
  resource('Settings', 'How the store works. For its administrators.', settings),
  resource('Platform', 'The service itself: addresses, health, keys, documentation.', platform),
];

const declaredBy = (parts: readonly Resource[]): readonly Endpoint[] =>
  parts.flatMap(({ endpoints }) => endpoints);

/** The endpoint table: everything the resource folders and the modules declare. */
export const endpoints = declaredBy([...resources, ...modules]);

/** What a deployment serves: every resource, and of the modules those that are on. */
export const resourcesOf = (config: Pick<Config, 'MODULES'>): readonly Resource[] => [
  ...resources,
  ...modulesOf(config),
];

/** The part of the endpoint table that a deployment serves. */
export const endpointsOf = (config: Config) => declaredBy(resourcesOf(config));
