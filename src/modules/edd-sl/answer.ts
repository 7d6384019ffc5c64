import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { registering, unregistering, validating } from '../../actions/licenses/commands.ts';
import {
  itemTrouble,
  noUpdate,
  notActivated,
  nothingKnown,
  siteOf,
  statusOf,
  told,
  toldUnchanged,
} from './replies.ts';
import { EddQuery, EddReply, EddRequest } from './schemas.ts';

const shared = {
  namespace: 'root',
  access: open('the software that asks has the licence code, and nothing else'),
  effect: 'write',
  everyday: true,
  conditional: false,
  query: EddQuery,
  reply: [200, EddReply],
  errors: ['rest_missing_callback_param'],
} as const;

export const answerEdd = endpoint({
  ...shared,
  id: 'eddSl.answer',
  route: ['POST /edd-sl'],
  summary: 'Call the interface of Easy Digital Downloads',
  description:
    'For software that was sold through Easy Digital Downloads with Software Licensing: `activate_license` registers a licence for `url`, `deactivate_license` unregisters it, `check_license` validates it, and `get_version` reports no update. Fields come in the form, in the query or in both.',
  body: EddRequest,
  bodyType: 'application/x-www-form-urlencoded',
}).handle(async ({ query, body, ...call }) => answered({ ...query, ...body }, call));

export const answerEddByQuery = endpoint({
  ...shared,
  id: 'eddSl.answerByQuery',
  route: ['GET /edd-sl'],
  summary: 'Call the interface of Easy Digital Downloads by query',
  description: 'For software that sends everything in the query.',
}).handle(async ({ query, ...call }) => answered(query, call));

interface EddCall {
  readonly db: WriteAccess<EddReply>;
  readonly now: Date;
  readonly userAgent: string;
}

async function answered(asked: EddRequest, { userAgent, ...call }: EddCall) {
  const { edd_action, license = '' } = asked;
  const use = { asked, license, string: siteOf(asked, userAgent) || undefined, ...call };
  switch (edd_action) {
    case 'activate_license':
      return activated(use);
    case 'deactivate_license':
      return deactivated(use);
    case 'check_license':
      return checked(use);
    case 'get_version':
      return noUpdate(asked);
    default:
      return refuse('rest_missing_callback_param', { params: { edd_action: 'is required' } });
  }
}

interface Use extends Omit<EddCall, 'userAgent'> {
  readonly asked: EddRequest;
  readonly license: string;
  readonly string: string | undefined;
}

async function activated({ asked, license, string, db, now }: Use) {
  if (string === undefined) return nothingKnown(asked, notActivated('missing_url'));
  const { load, decide } = registering({ license, string }, { now });
  return db.change({
    load,
    decide: (loaded) => {
      const [row] = loaded.found;
      if (!row) return { write: [], reply: nothingKnown(asked, notActivated('missing')) };
      const not = (error: Parameters<typeof notActivated>[0]) => ({
        write: [],
        reply: toldUnchanged(row, notActivated(error), now),
      });
      const trouble = itemTrouble(row, asked);
      if (trouble) return not(trouble);
      const decision = decide(loaded);
      if (isRefusal(decision)) return not('no_activations_left');
      const { code, valid, data } = decision.reply;
      if (!valid) return not(statusOf[code]);
      return {
        ...decision,
        reply: told(data.license, row, { success: true, license: 'valid' }),
      };
    },
  });
}

async function deactivated({ asked, license, string, db, now }: Use) {
  const failed = { success: false, license: 'failed' };
  const { load, decide } = unregistering({ license, string }, { now });
  return db.change({
    load,
    decide: (loaded) => {
      const [row] = loaded.found;
      if (!row) return { write: [], reply: nothingKnown(asked, failed) };
      const decision = itemTrouble(row, asked) ? undefined : decide(loaded);
      if (!decision || isRefusal(decision)) {
        return { write: [], reply: toldUnchanged(row, failed, now) };
      }
      const { license: after } = decision.reply.data;
      return { ...decision, reply: told(after, row, { success: true, license: 'deactivated' }) };
    },
  });
}

async function checked({ asked, license, string, db, now }: Use) {
  const { load, decide } = validating({ license, string }, { now });
  return db.change({
    load,
    decide: (loaded) => {
      const [row] = loaded.found;
      const decision = decide(loaded);
      if (!row || isRefusal(decision)) {
        return { write: [], reply: nothingKnown(asked, { success: false, license: 'invalid' }) };
      }
      const trouble = itemTrouble(row, asked);
      if (trouble) {
        return { write: [], reply: toldUnchanged(row, { success: true, license: trouble }, now) };
      }
      const { code, data } = decision.reply;
      const outcome = { success: true, license: statusOf[code] };
      return { ...decision, reply: told(data.license, row, outcome) };
    },
  });
}
