import { type ComponentType, lazy } from 'react';
import type { Permission } from '../context/session.ts';
import type { texts } from './texts.ts';

/** A screen: each is a chunk of its own, loaded when it is opened. */
export interface Screen {
  /** Its key in the texts of the navigation. */
  readonly name: keyof (typeof texts)['en']['nav'];
  /** The screen's path after `/console`; paths below it belong to the screen, too. */
  readonly path: string;
  readonly group: 'sell' | 'store' | 'developers' | undefined;
  /** The key that opens it after `g`. */
  readonly key: string;
  /** The permission that shows the screen; undefined for everybody. */
  readonly needs: Permission | undefined;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

const declared: readonly Screen[] = [
  {
    name: 'home',
    path: '/',
    group: undefined,
    key: 'h',
    needs: undefined,
    load: () => import('../screens/home/index.tsx'),
  },
  {
    name: 'orders',
    path: '/orders',
    group: 'sell',
    key: 'o',
    needs: 'orders:read',
    load: () => import('../screens/orders/index.tsx'),
  },
  {
    name: 'proofs',
    path: '/proofs',
    group: 'sell',
    key: 'p',
    needs: 'confirmations:read',
    load: () => import('../screens/proofs/index.tsx'),
  },
  {
    name: 'products',
    path: '/products',
    group: 'sell',
    key: 'd',
    needs: 'products:read',
    load: () => import('../screens/products/index.tsx'),
  },
  {
    name: 'coupons',
    path: '/coupons',
    group: 'sell',
    key: 'c',
    needs: 'coupons:read',
    load: () => import('../screens/coupons/index.tsx'),
  },
  {
    name: 'customers',
    path: '/customers',
    group: 'sell',
    key: 'u',
    needs: 'users:read',
    load: () => import('../screens/customers/index.tsx'),
  },
  {
    name: 'tree',
    path: '/tree',
    group: 'sell',
    key: 'e',
    needs: 'users:read',
    load: () => import('../screens/tree/index.tsx'),
  },
  {
    name: 'subscriptions',
    path: '/subscriptions',
    group: 'sell',
    key: 'b',
    needs: 'subscriptions:read',
    load: () => import('../screens/subscriptions/index.tsx'),
  },
  {
    name: 'licences',
    path: '/licences',
    group: 'sell',
    key: 'l',
    needs: 'licenses:read',
    load: () => import('../screens/licences/index.tsx'),
  },
  {
    name: 'access',
    path: '/access',
    group: 'sell',
    key: 'i',
    needs: 'access:read',
    load: () => import('../screens/access/index.tsx'),
  },
  {
    name: 'commissions',
    path: '/commissions',
    group: 'sell',
    key: 'n',
    needs: 'commissions:read',
    load: () => import('../screens/commissions/index.tsx'),
  },
  {
    name: 'payouts',
    path: '/payouts',
    group: 'sell',
    key: 'y',
    needs: 'payouts:read',
    load: () => import('../screens/payouts/index.tsx'),
  },
  {
    name: 'affiliates',
    path: '/affiliates',
    group: 'sell',
    key: 'r',
    needs: 'risks:read',
    load: () => import('../screens/affiliates/index.tsx'),
  },
  {
    name: 'figures',
    path: '/figures',
    group: 'store',
    key: 'f',
    needs: 'orders:read',
    load: () => import('../screens/figures/index.tsx'),
  },
  {
    name: 'messages',
    path: '/messages',
    group: 'store',
    key: 'm',
    needs: 'messages:read',
    load: () => import('../screens/messages/index.tsx'),
  },
  {
    name: 'team',
    path: '/team',
    group: 'store',
    key: 't',
    needs: 'users:read',
    load: () => import('../screens/team/index.tsx'),
  },
  {
    name: 'settings',
    path: '/settings',
    group: 'store',
    key: 's',
    needs: 'administrator',
    load: () => import('../screens/settings/index.tsx'),
  },
  {
    name: 'keys',
    path: '/keys',
    group: 'developers',
    key: 'k',
    needs: 'administrator',
    load: () => import('../screens/keys/index.tsx'),
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'developers',
    key: 'w',
    needs: 'webhooks:read',
    load: () => import('../screens/webhooks/index.tsx'),
  },
  {
    name: 'audit',
    path: '/audit',
    group: 'developers',
    key: 'a',
    needs: 'audit:read',
    load: () => import('../screens/audit/index.tsx'),
  },
];

/** The screens, in the order of the navigation. */
export const screens = declared.map((screen) => ({ ...screen, View: lazy(screen.load) }));

export const screenAt = (path: string) =>
  screens.find(
    ({ path: start }) => path === start || (start !== '/' && path.startsWith(`${start}/`)),
  );
