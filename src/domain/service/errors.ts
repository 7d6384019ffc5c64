import { kernelErrors } from '../../kernel/errors/errors.ts';
import { checkoutErrors } from '../checkout/errors.ts';
import { commissionErrors } from '../commission/errors.ts';
import { confirmationErrors } from '../confirmation/errors.ts';
import { consoleErrors } from '../console/errors.ts';
import { couponErrors } from '../coupon/errors.ts';
import { fileErrors } from '../file/errors.ts';
import { groupErrors } from '../group/errors.ts';
import { keyErrors } from '../key/errors.ts';
import { licenseErrors } from '../license/errors.ts';
import { messageErrors } from '../message/errors.ts';
import { orderErrors } from '../order/errors.ts';
import { paymentErrors } from '../payment/errors.ts';
import { payoutErrors } from '../payout/errors.ts';
import { productErrors } from '../product/errors.ts';
import { purchaseErrors } from '../purchase/errors.ts';
import { refundErrors } from '../refund/errors.ts';
import { reminderErrors } from '../reminder/errors.ts';
import { riskErrors } from '../risk/errors.ts';
import { sessionErrors } from '../session/errors.ts';
import { settingsErrors } from '../settings/errors.ts';
import { staffErrors } from '../staff/errors.ts';
import { subscriptionErrors } from '../subscription/errors.ts';
import { userErrors } from '../user/errors.ts';
import { webhookErrors } from '../webhook/errors.ts';

export const errorTable = {
  ...kernelErrors,
  ...checkoutErrors,
  ...commissionErrors,
  ...confirmationErrors,
  ...consoleErrors,
  ...couponErrors,
  ...fileErrors,
  ...groupErrors,
  ...keyErrors,
  ...licenseErrors,
  ...messageErrors,
  ...orderErrors,
  ...paymentErrors,
  ...payoutErrors,
  ...productErrors,
  ...purchaseErrors,
  ...refundErrors,
  ...reminderErrors,
  ...riskErrors,
  ...sessionErrors,
  ...settingsErrors,
  ...staffErrors,
  ...subscriptionErrors,
  ...userErrors,
  ...webhookErrors,
} as const;

export type ErrorCode = keyof typeof errorTable;
