import { formNames } from '../domain/payout/forms/index.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import { changeSortOrders, sortOrders } from '../kernel/lists/query.ts';
import { deliveryStatuses, pauseReasons, webhookStatuses } from '../kernel/events/lists.ts';
import * as access from '../schema/access.ts';
import { mutationStatuses } from '../schema/bank-mutations.ts';
import { discountUsages } from '../schema/coupon-parts.ts';
import { fileStatuses } from '../schema/files.ts';
import * as lists from '../schema/lists.ts';
import * as payments from '../schema/payments.ts';
import { affiliateCouponStatuses, fieldDemands, uniqueCodeOperations } from '../schema/platform.ts';
import { periods, plansAfter, rateTypes } from '../schema/product-parts.ts';
import { subscriptionStatuses } from '../schema/subscriptions.ts';
import { accessStatuses, verdictReasons } from '../domain/access/schemas.ts';
import { figureKeys } from '../domain/affiliate/figures.ts';
import { measures } from '../domain/affiliate/schemas.ts';
import { commissionFilterStatuses } from '../domain/commission/schemas.ts';
import { couponRefusals } from '../domain/coupon/rules.ts';
import { verdictCodes } from '../domain/license/verdict-codes.ts';
import { visibleStatuses } from '../domain/user/schemas.ts';
import { eventPatterns } from '../domain/webhook/catalogue.ts';
import { eddActions } from '../modules/edd-sl/schemas.ts';
import { slmActions } from '../modules/slm/schemas.ts';
import { orderScopes } from '../actions/me/schemas.ts';
import { relationForms } from '../actions/users/tree.ts';

/** Lists that several schemas share. The document refers to them by name, so that generators make one type of each. */
const closedLists: Readonly<Record<string, readonly string[]>> = {
  AccessSource: access.accessSources,
  AccessStatus: accessStatuses,
  AccessVerdictReason: verdictReasons,
  ActorType: actorTypes,
  AffiliateCouponStatus: affiliateCouponStatuses,
  AttributionSource: lists.attributionSources,
  BankMutationStatus: mutationStatuses,
  CommissionFilterStatus: commissionFilterStatuses,
  CommissionStatus: lists.commissionStatuses,
  ConfirmationStatus: lists.confirmationStatuses,
  ContentMatch: access.contentMatches,
  ContentStatus: access.contentStatuses,
  CouponRefusal: couponRefusals,
  CouponStatus: lists.couponStatuses,
  DeliveryStatus: deliveryStatuses,
  DiscountUsage: discountUsages,
  EddAction: eddActions,
  EventPattern: eventPatterns,
  FieldDemand: fieldDemands,
  FigureKey: figureKeys,
  FileStatus: fileStatuses,
  Language: lists.languages,
  LicenseStatus: lists.licenseStatuses,
  LicenseVerdictCode: verdictCodes,
  MessageKind: lists.messageKinds,
  MessageMedium: lists.messageMedia,
  MessageStatus: lists.messageStatuses,
  OrderScope: orderScopes,
  OrderStatus: lists.orderStatuses,
  OrderStatusGroup: lists.statusGroups,
  OrderType: lists.orderTypes,
  PaidOrderStatus: lists.paidStatuses,
  PauseReason: pauseReasons,
  PaymentStatus: lists.paymentStatuses,
  PaymentType: lists.paymentTypes,
  PayoutForm: formNames,
  PayoutIssue: lists.payoutIssues,
  PayoutLineStatus: lists.payoutLineStatuses,
  PayoutResult: lists.payoutResults,
  PayoutRunStatus: lists.payoutRunStatuses,
  PayoutStatus: lists.payoutStatuses,
  Period: periods,
  PlanEnd: plansAfter,
  ProductStatus: lists.productStatuses,
  ProductType: lists.productTypes,
  RankingMeasure: measures,
  RateSource: lists.rateSources,
  RateType: rateTypes,
  RefundState: payments.refundStates,
  RelationForm: relationForms,
  ReminderDirection: lists.reminderDirections,
  ReminderStatus: lists.reminderStatuses,
  ReminderType: lists.reminderTypes,
  RiskKind: lists.riskKinds,
  RiskStatus: lists.riskStatuses,
  SlmAction: slmActions,
  SortOrder: sortOrders,
  ChangeSortOrder: changeSortOrders,
  SubscriptionStatus: subscriptionStatuses,
  SuppressionReason: lists.suppressionReasons,
  TemplateKind: lists.templateKinds,
  TemplateMedium: lists.templateMedia,
  UnexpectedPaymentReason: payments.unexpectedReasons,
  UnexpectedPaymentStatus: payments.unexpectedStatuses,
  UniqueCodeOperation: uniqueCodeOperations,
  UserRole: lists.userRoles,
  UserStatus: visibleStatuses,
  WebhookStatus: webhookStatuses,
};

/** Identifies a list by its values, in any order. */
const keyOf = (values: readonly unknown[]) => values.map(String).toSorted().join('\n');

const named = new Map(
  Object.entries(closedLists).map(([name, values]) => [keyOf(values), { name, values }]),
);

/** Undefined for a list without a name. */
export const closedList = (values: readonly unknown[]) => named.get(keyOf(values));
