import type { Config } from '../../config.ts';
import { isFull, judge } from '../../domain/license/verdicts.ts';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { isSameSecret } from '../../providers/signatures.ts';
import { registering, unregistering, validating } from '../../actions/licenses/commands.ts';
import { loadCase } from '../../queries/licenses.ts';
import { findReferred } from '../../queries/products.ts';
import {
  details,
  hostOf,
  isForItem,
  refused,
  succeeded,
  unknownLicense,
  unusable,
} from './replies.ts';
import { SlmQuery, SlmReply, SlmRequest } from './schemas.ts';

const shared = {
  namespace: 'root',
  access: open('the software that asks has the secret it was shipped with, and the licence code'),
  effect: 'write',
  everyday: true,
  conditional: false,
  query: SlmQuery,
  reply: [200, SlmReply],
  errors: ['rest_missing_callback_param'],
} as const;

export const answerSlm = endpoint({
  ...shared,
  id: 'slm.answer',
  route: ['POST /slm'],
  summary: 'Call the interface of Software License Manager',
  description:
    'For software that was sold with Software License Manager: `slm_activate` registers a licence for `registered_domain`, `slm_deactivate` unregisters it, and `slm_check` validates it. Fields come in the form, in the query or in both. Without the variable `SLM_SECRET_KEY`, everything is refused.',
  body: SlmRequest,
  bodyType: 'application/x-www-form-urlencoded',
}).handle(async ({ query, body, ...call }) => answered({ ...query, ...body }, call));

export const answerSlmByQuery = endpoint({
  ...shared,
  id: 'slm.answerByQuery',
  route: ['GET /slm'],
  summary: 'Call the interface of Software License Manager by query',
  description: 'For software that sends everything in the query.',
}).handle(async ({ query, ...call }) => answered(query, call));

interface SlmCall {
  readonly db: WriteAccess<SlmReply>;
  readonly now: Date;
  readonly config: Pick<Config, 'SLM_SECRET_KEY'>;
  readonly userAgent: string;
}

async function answered(asked: SlmRequest, { config, db, now, userAgent }: SlmCall) {
  const { slm_action, secret_key = '', license_key = '', registered_domain = '' } = asked;
  const secret = config.SLM_SECRET_KEY;
  if (secret === undefined || !isSameSecret(secret_key, secret)) {
    return refused('secret', 'The secret key is wrong.');
  }
  const string = registered_domain.trim() || undefined;
  const use = { asked, installation: { license: license_key, string }, db, now };
  if (slm_action === 'slm_check') {
    const installation = { license: license_key, string: string ?? hostOf(userAgent) };
    return checked({ ...use, installation });
  }
  if (slm_action === undefined) {
    return refuse('rest_missing_callback_param', { params: { slm_action: 'is required' } });
  }
  if (string === undefined) return refused('noDomain', 'registered_domain is missing.');
  return slm_action === 'slm_activate' ? activated(use) : deactivated(use);
}

interface Use extends Omit<SlmCall, 'config' | 'userAgent'> {
  readonly asked: SlmRequest;
  readonly installation: { readonly license: string; readonly string: string | undefined };
}

async function activated({ asked, installation, db, now }: Use) {
  const { load, decide } = registering(installation, { now });
  return db.change({
    load: { ...load, referred: findReferred(asked.item_reference) },
    decide: (loaded) => {
      const {
        found: [row],
        known: [known],
        referred,
      } = loaded;
      const not = (reply: SlmReply) => ({ write: [], reply });
      if (!row || !isForItem(row, referred)) return not(unknownLicense);
      const decision = decide(loaded);
      if (isRefusal(decision)) return not(refused('limit', 'All seats of the licence are taken.'));
      const { code, valid } = decision.reply;
      if (!valid) return not(unusable(code));
      const reply = known
        ? refused(
            isFull(row.license) ? 'inUseAndFull' : 'inUse',
            `The licence is in use on ${known.string} already.`,
          )
        : succeeded('The licence is activated.');
      return { ...decision, reply };
    },
  });
}

async function deactivated({ asked, installation, db, now }: Use) {
  const { load, decide } = unregistering(installation, { now });
  return db.change({
    load: { ...load, referred: findReferred(asked.item_reference) },
    decide: (loaded) => {
      const [row] = loaded.found;
      const decision = row && isForItem(row, loaded.referred) ? decide(loaded) : undefined;
      if (!decision || isRefusal(decision)) {
        const reply = refused('notRegistered', 'The licence is not in use on this domain.');
        return { write: [], reply };
      }
      return {
        ...decision,
        reply: succeeded('The licence is not in use on this domain any more.'),
      };
    },
  });
}

async function checked({ asked, installation, db, now }: Use) {
  const { decide } = validating(installation, { now });
  return db.change({
    load: { ...loadCase(installation), referred: findReferred(asked.item_reference) },
    decide: (loaded) => {
      const [row] = loaded.found;
      const decision = row && isForItem(row, loaded.referred) ? decide(loaded) : undefined;
      if (!row || !decision || isRefusal(decision)) return { write: [], reply: unknownLicense };
      const { license, activation } = decision.reply.data;
      const domain = activation ? installation.string : undefined;
      return { ...decision, reply: details(license, judge(row, {}, now), domain, now) };
    },
  });
}
