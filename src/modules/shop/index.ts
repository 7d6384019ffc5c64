import type { Module } from '../../kernel/endpoint/module.ts';
import { mintAccountLink } from './account-link.ts';
import { cancelInAccount } from './account-cancel.ts';
import { enterAccount } from './account-enter.ts';
import { leaveAccount } from './account-leave.ts';
import { askForLink } from './account-mail.ts';
import { resumeInAccount } from './account-resume.ts';
import { showAccount } from './account.ts';
import { showCheckout } from './checkout.ts';
import { showColors } from './colors.ts';
import { showHome } from './home.ts';
import { showOrder } from './order.ts';
import { payOrder } from './pay.ts';
import { showProduct } from './product.ts';
import { sendProof } from './proof.ts';
import { sendPurchase } from './purchase.ts';

/** Pages on which people buy, pay, and see their orders and account. */
export const shop: Module = {
  key: 'shop',
  name: 'Shop',
  description: 'Pages for buyers. An optional module.',
  endpoints: [mintAccountLink],
  pages: [
    showHome,
    showColors,
    showProduct,
    showCheckout,
    sendPurchase,
    showOrder,
    payOrder,
    sendProof,
    showAccount,
    askForLink,
    enterAccount,
    leaveAccount,
    cancelInAccount,
    resumeInAccount,
  ],
};
