import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { hashesOfCode } from '../../actions/account/codes.ts';
import { textUpTo } from '../../lib/schemas.ts';
import {
  codeTries,
  countCodeTry,
  findConfirmations,
  savePhone,
  useCode,
} from '../../queries/account-codes.ts';
import { notFresh, changeAsMember, isFresh, memberForm } from './account-member.ts';
import { sessionOf } from './account-requests.ts';

export const confirmPhone = endpoint({
  ...memberForm,
  id: 'shop.accountPhoneConfirm',
  route: ['POST /account/phone/confirm'],
  summary: 'Confirm the number of a member by a code: from then on it signs them in',
  body: z.object({ code: textUpTo(20) }),
  errors: ['rest_forbidden', 'rest_not_found'],
}).handle(async ({ body, ...context }) => {
  const { request, config, authority, now } = context;
  const session = await sessionOf(request, config, authority);
  if (!session) return refuse('rest_forbidden');
  const hashes = await hashesOfCode(session.prefix, body.code.trim(), authority);
  return changeAsMember(context, {
    path: '/account/details?said=saved',
    load: (member) => ({ codes: findConfirmations(member, now) }),
    decide: ({ codes }, member) => {
      if (!isFresh(member, now)) return notFresh;
      const code = codes.find(({ tries }) => tries < codeTries);
      const isRight = code !== undefined && hashes.includes(code.hash);
      if (!isRight) return { write: [countCodeTry(code?.id)], path: '/account/details?said=wrong' };
      return { write: [useCode(code.id), ...savePhone(member.id, code.phone, now)] };
    },
  });
});
