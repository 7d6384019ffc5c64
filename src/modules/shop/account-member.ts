import type { Config } from '../../config.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import type { Answer, Decision } from '../../kernel/command/decision.ts';
import type { KernelCode, ReadAccess, WriteAccess } from '../../kernel/command/store.ts';
import type { Results, Statements } from '../../kernel/database/statements.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { html, open, Redirect } from '../../kernel/endpoint/declare.ts';
import { type ErrorCode, type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import {
  type Account,
  accountOf,
  findAccount,
  prolongSession,
  sessionSeconds,
} from '../../queries/accounts.ts';
import { findSettings } from '../../queries/settings.ts';
import type { SQL } from 'drizzle-orm';
import { type PageRequest, errorPage, missingPage, pageAnswer } from './answers.ts';
import type { StoreView } from './view/store.ts';
import { actingNote } from './account-acting.ts';
import { foreignRefusal, sessionOf } from './account-requests.ts';
import { sendsCodes } from '../../processes/account/codes.ts';

export const memberPage = {
  namespace: 'root',
  access: open('its cookie says whose account it is; without one it shows the way to sign in'),
  effect: 'read',
  reply: [200, html],
  errorPage,
} as const;

export const memberForm = {
  namespace: 'root',
  access: open('its cookie says whose account it is'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  bodyType: 'application/x-www-form-urlencoded',
  reply: [302, Redirect],
  errorPage,
} as const;

export const newest = { limit: 50, offset: 0, ascending: false, after: undefined };

interface Context {
  readonly request: PageRequest;
  readonly config: Config;
  readonly authority: Authority;
  readonly now: Date;
}

/** Loaded in the trip that identifies the member. */
interface MemberPage<S extends Statements> {
  readonly load: (member: SQL<number>) => S;
  /** Undefined if the record doesn't exist. */
  readonly view: (
    loaded: Results<S>,
    member: Account,
  ) => Promise<((store: StoreView) => string) | undefined>;
}

interface PageContext extends Context {
  readonly db: ReadAccess;
  readonly after: (work: (services: Services) => Promise<void>) => void;
}

/** Shows a page of the member's account, or the way to sign in. */
export async function answerMember<S extends Statements>(
  { db, request, config, authority, after, now }: PageContext,
  { load, view }: MemberPage<S>,
): Promise<Answer> {
  const session = await sessionOf(request, config, authority);
  const { signInPage } = await import('./view/account/sign-in.tsx');
  const byCode = sendsCodes(config);
  if (!session) {
    const { settings } = await db.query({ settings: findSettings() });
    return pageAnswer(settings, request, (store) => signInPage(store, { byCode }));
  }
  const { settings, account, page } = await db.query({
    settings: findSettings(),
    account: findAccount(session, now),
    page: load(accountOf(session, now)),
  });
  const [member] = account;
  if (!member) return pageAnswer(settings, request, (store) => signInPage(store, { byCode }));
  if (isOld(member, now)) {
    after(async ({ connection }) => {
      await new UnitOfWork(connection, undefined).write([prolongSession(session.prefix, now)]);
    });
  }
  const render = await view(page as Results<S>, member);
  return render ? pageAnswer(settings, request, render) : missingPage(settings, request);
}

/** Tells if the end of a member's session was last moved more than a day ago. */
const isOld = ({ actor_id, expires_at }: Account, now: Date) =>
  actor_id === null && Date.parse(expires_at) - now.getTime() < (sessionSeconds - 86_400) * 1000;

type FormDecision<C extends ErrorCode, Again> = Omit<Decision<never, C, Again>, 'reply'> & {
  readonly path?: string;
};

interface MemberForm<S extends Statements, C extends ErrorCode, Again> {
  readonly path: string;
  readonly load: (member: SQL<number>, again: Again | undefined) => S;
  readonly decide: (
    loaded: Results<S>,
    member: Account,
    again: Again | undefined,
  ) => Refusal<C> | FormDecision<C, Again>;
}

interface FormContext extends Context {
  readonly db: WriteAccess<{ location: string }>;
}

/** Makes a member's change in the trip that identifies them. */
export async function changeAsMember<
  S extends Statements,
  const C extends ErrorCode = never,
  Again = never,
>(
  { db, request, config, authority, now }: FormContext,
  { path, load, decide }: MemberForm<S, C, Again>,
): Promise<Answer | Refusal<C | KernelCode | 'rest_forbidden'>> {
  const foreign = foreignRefusal(request, config);
  const session = await sessionOf(request, config, authority);
  if (foreign || !session) return foreign ?? refuse('rest_forbidden');
  let location = '';
  const done = await db.change({
    load: (again: Again | undefined) => ({
      account: findAccount(session, now),
      form: load(accountOf(session, now), again),
    }),
    decide: (
      loaded,
      again,
    ): Refusal<C | 'rest_forbidden'> | Decision<{ location: string }, C, Again> => {
      const [member] = loaded.account;
      if (!member) return refuse('rest_forbidden');
      const decided = decide(loaded.form as Results<S>, member, again);
      if (isRefusal(decided)) return decided;
      const { path: reached = path, ...decision } = decided;
      location = `${config.BASE_URL}${reached}`;
      const note = decision.write.length > 0 ? actingNote(member.id, member.actor_id) : {};
      return { ...decision, ...note, reply: { location } };
    },
  });
  return isRefusal(done) ? done : redirectTo(location);
}

/** Tells if a member came by a link a moment ago, and may change identifying fields and the bank account. */
export const isFresh = ({ fresh_until }: Pick<Account, 'fresh_until'>, now: Date): boolean =>
  fresh_until !== null && fresh_until > now.toISOString();

/** The answer to a member whose link is too old for the form. */
export const notFresh = { write: [], path: '/account/details?said=fresh' } as const;
