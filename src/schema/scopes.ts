/** Everything that an API key can be allowed. Endpoints, keys and documents use this list. */
export const scopes = [
  { name: 'orders:read', description: 'Read orders.' },
  {
    name: 'orders:write',
    description:
      'Create and change orders with users for new buyers, and decide on unexpected payments and bank entries. Refunding or cancelling a paid order sends money back through its payment provider.',
  },
  {
    name: 'orders:delete',
    description:
      'Delete orders, except those with money at a payment provider, which require orders:write as well.',
  },
  {
    name: 'subscriptions:read',
    description: 'Read subscriptions, with the e-mail addresses of their users.',
  },
  {
    name: 'subscriptions:write',
    description:
      'Change, pause, resume and cancel subscriptions: this starts and ends access, and cancels unpaid renewals.',
  },
  { name: 'products:read', description: 'Read products.' },
  { name: 'products:write', description: 'Create and change products.' },
  { name: 'products:delete', description: 'Delete products.' },
  { name: 'coupons:read', description: 'Read coupons.' },
  { name: 'coupons:write', description: 'Create and change coupons.' },
  { name: 'coupons:delete', description: 'Delete coupons.' },
  { name: 'commissions:read', description: 'Read commissions.' },
  {
    name: 'commissions:write',
    description: 'Create and change commissions, and draft payout runs.',
  },
  { name: 'commissions:delete', description: 'Delete commissions.' },
  {
    name: 'risks:read',
    description:
      'Read risks: affiliates who may earn from their own purchases, with the addresses, phones and bank details they share.',
  },
  {
    name: 'risks:write',
    description: 'Clear and confirm risks. Confirming one cancels commissions.',
  },
  {
    name: 'payouts:read',
    description: 'Read payouts and payout runs, with the bank accounts they go to.',
  },
  {
    name: 'payouts:write',
    description:
      'Pay commissions, confirm payout runs, record their results, and cancel payouts. Paying records a payout and sends no money.',
  },
  { name: 'confirmations:read', description: 'Read payment confirmations.' },
  {
    name: 'confirmations:write',
    description: 'Create and review payment confirmations. Approving one marks its order as paid.',
  },
  { name: 'confirmations:delete', description: 'Delete payment confirmations.' },
  {
    name: 'users:read',
    description: 'Read users: addresses, bank details, up- and downlines, and whether they bought.',
  },
  {
    name: 'users:write',
    description: 'Create and change users, with their addresses and bank details.',
  },
  { name: 'users:delete', description: 'Anonymise users.' },
  { name: 'user-groups:read', description: 'Read user groups.' },
  {
    name: 'user-groups:write',
    description: 'Create, change and delete user groups, and put users into them.',
  },
  { name: 'access:read', description: 'Read access grants and protected content.' },
  { name: 'access:write', description: 'Grant and change access and protected content.' },
  { name: 'access:delete', description: 'Revoke access grants and delete protected content.' },
  { name: 'files:read', description: 'Read the list of files of products.' },
  { name: 'files:write', description: 'Upload files, and change which buyers may download them.' },
  { name: 'files:delete', description: 'Delete files.' },
  { name: 'licenses:read', description: 'Read and check licences.' },
  { name: 'licenses:write', description: 'Create, change and activate licences.' },
  {
    name: 'messages:read',
    description:
      'Read messages and their templates. Their texts include addresses, access links and licence codes.',
  },
  {
    name: 'messages:write',
    description:
      'Resend and cancel messages, change templates and send them as a test to any address, and lift suppressions.',
  },
  {
    name: 'messages:send',
    description: 'Resend messages unchanged; the answer shows their texts.',
  },
  {
    name: 'reminders:read',
    description:
      'Read reminders and their templates. To see their recipients, orders:read is required as well.',
  },
  {
    name: 'reminders:write',
    description:
      'Create, change and send reminders to buyers, and change their templates. Another address, or placeholders of an order, require orders:read as well.',
  },
  {
    name: 'affiliates:read',
    description: 'Read affiliate data: links, coupon codes, earnings, bank details, leaderboards.',
  },
  { name: 'checkout:read', description: 'Price and quote carts, and read shipping options.' },
  {
    name: 'payments:read',
    description: 'Read payment gateways, unexpected payments and bank entries.',
  },
  {
    name: 'sessions:write',
    description:
      'Issue and revoke user-session tokens, which allow everything that their users may do; for people with a role in the console only if the key was created for that.',
  },
  { name: 'webhooks:read', description: 'Read webhooks and their deliveries.' },
  {
    name: 'webhooks:write',
    description: 'Create, change, test and replay webhooks for events the key may read.',
  },
  { name: 'webhooks:delete', description: 'Delete webhooks.' },
  {
    name: 'audit:read',
    description: 'Read the audit log: who changed what, with the old and the new values.',
  },
  { name: 'status:read', description: 'Read the status of the deployment.' },
] as const;

export type Scope = (typeof scopes)[number]['name'];

const names: ReadonlySet<string> = new Set(scopes.map(({ name }) => name));

export const isScope = (text: string): text is Scope => names.has(text);
