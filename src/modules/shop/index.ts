import type { Module } from '../../kernel/endpoint/module.ts';
import { actAsMember } from './account-act-as.ts';
import { copyCoupon } from './account-affiliate-coupon.ts';
import { becomeAffiliate } from './account-affiliate-join.ts';
import { showAffiliate } from './account-affiliate.ts';
import { saveBank } from './account-bank.ts';
import { cancelInAccount } from './account-cancel.ts';
import { enterByCode } from './account-code-enter.ts';
import { askForCode } from './account-code.ts';
import { saveDetails } from './account-details-save.ts';
import { showDetails } from './account-details.ts';
import { confirmEmail } from './account-email-confirm.ts';
import { showEmail } from './account-email-show.ts';
import { askForEmail } from './account-email.ts';
import { enterAccount } from './account-enter.ts';
import { leaveAccount } from './account-leave.ts';
import { mintAccountLink } from './account-link.ts';
import { askForLink } from './account-mail.ts';
import { showOwnOrder } from './account-order.ts';
import { confirmPhone } from './account-phone-confirm.ts';
import { askForConfirmation } from './account-phone.ts';
import { renewInAccount } from './account-renew.ts';
import { resumeInAccount } from './account-resume.ts';
import { freeSeat } from './account-seat.ts';
import { showSubscription } from './account-subscription.ts';
import { showAccount } from './account.ts';
import { showCheckout } from './checkout.ts';
import { showColors } from './colors.ts';
import { showHome } from './home.ts';
import { showOrder } from './order.ts';
import { payOrder } from './pay.ts';
import { showProduct } from './product.ts';
import { sendProof } from './proof.ts';
import { sendPurchase } from './purchase.ts';

/** Pages for buying, paying, orders and the account. */
export const shop: Module = {
  key: 'shop',
  name: 'Shop',
  description: 'Pages for buyers. An optional module.',
  endpoints: [mintAccountLink, actAsMember],
  pages: [
    ...[
      showHome,
      showColors,
      showProduct,
      showCheckout,
      sendPurchase,
      showOrder,
      payOrder,
      sendProof,
    ],
    ...[showAccount, askForLink, enterAccount, askForCode, enterByCode, leaveAccount],
    ...[showOwnOrder, showSubscription, cancelInAccount, resumeInAccount, renewInAccount, freeSeat],
    ...[showDetails, saveDetails, saveBank, askForEmail, showEmail, confirmEmail],
    ...[askForConfirmation, confirmPhone, showAffiliate, becomeAffiliate, copyCoupon],
  ],
};
