import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { unregistering } from '../../actions/licenses/commands.ts';
import { changeAsMember, memberForm } from './account-member.ts';

export const freeSeat = endpoint({
  ...memberForm,
  id: 'shop.accountSeat',
  route: ['POST /account/seats'],
  summary: 'Free a seat of a licence',
  body: z.object({ license: textUpTo(200), string: textUpTo(2000) }),
  errors: ['rest_forbidden', 'rest_not_found'],
}).handle(async ({ body, ...context }) => {
  const command = unregistering(body, { now: context.now });
  return changeAsMember(context, {
    path: '/account#licences',
    load: () => command.load,
    decide: (loaded, member) => {
      if (loaded.found[0]?.license.user_id !== member.id) return refuse('rest_not_found');
      const decided = command.decide(loaded);
      if (isRefusal(decided)) return decided;
      const { write, events } = decided;
      return { write, events };
    },
  });
});
