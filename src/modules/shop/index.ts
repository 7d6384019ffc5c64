import type { Module } from '../../kernel/endpoint/module.ts';
import { mintAccountLink } from './account-link.ts';
import { cancelInAccount } from './account-cancel.ts';
import { enterAccount } from './account-enter.ts';
import { leaveAccount } from './account-leave.ts';
import { askForLink } from './account-mail.ts';
import { resumeInAccount } from './account-resume.ts';
import { showAccount } from './account.ts';
import { showHome } from './home.ts';
import { showProduct } from './product.ts';

/** Pages on which people buy from the store, pay and help themselves. */
export const shop: Module = {
  key: 'shop',
  name: 'Shop',
  description: 'Pages for buyers. An optional module.',
  endpoints: [mintAccountLink],
  pages: [
    showHome,
    showProduct,
    showAccount,
    askForLink,
    enterAccount,
    leaveAccount,
    cancelInAccount,
    resumeInAccount,
  ],
};
