import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { PersonalData, contentsText, personalData } from '../../actions/users/personal-data.ts';

/** Needed besides the scope for users, since the document contains records of each kind. */
const scopes = [
  'orders:read',
  'payments:read',
  'coupons:read',
  'confirmations:read',
  'access:read',
  'licenses:read',
  'commissions:read',
  'payouts:read',
  'subscriptions:read',
  'messages:read',
  'reminders:read',
] as const;

export const exportUser = endpoint({
  id: 'users.export',
  route: ['GET /users/:id/export'],
  summary: "Get a person's data",
  description: `Everything the store keeps about a user, as one document to hand over. ${contentsText}

The key also needs the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}: a document without the parts that a key may not read would look complete.`,
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(PersonalData)],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ params, db, principal, now, file }) => {
  const data = await personalData(db, params.id, now, one);
  if (!data) return refuse('rest_not_found');
  const missing = scopes.filter((scope) => !principal.has(scope));
  if (missing.length > 0) {
    return refuse('rest_forbidden', {
      message: `This requires more scopes: ${missing.join(', ')}.`,
      data: { missing_scopes: missing },
    });
  }
  return file(data);
});
