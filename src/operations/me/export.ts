import { endpoint, ownRecord, session } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { PersonalData, contentsText, personalData } from '../../actions/users/personal-data.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const exportOwnData = endpoint({
  id: 'me.export',
  route: ['GET /me/export'],
  summary: 'Get your data',
  description: `Everything the store keeps about the user, as one document. ${contentsText}`,
  access: session(),
  effect: 'read',
  reply: [200, ownRecord(PersonalData)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, db, now, file }) => {
  const data = await personalData(db, principal.userId, now, (of) =>
    asOwn(principal, { data: of, meta: {} }),
  );
  return data ? file(data) : refuse('rest_not_found');
});
