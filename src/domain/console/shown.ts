import { type Config, prefixes } from '../../config.ts';
import { freshTime } from '../../kernel/auth/console-session.ts';
import type { consoleSessions } from '../../schema/console.ts';
import type { UserRole, languages } from '../../schema/lists.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { scopes } from '../../schema/scopes.ts';
import { dialledBefore } from '../../lib/phone.ts';
import { addSeconds } from '../../lib/instant.ts';
import { rolesWithScope } from '../user/capabilities.ts';
import { consoleRole } from './rules.ts';

interface Account {
  readonly id: number;
  readonly display_name: string;
  readonly email: string;
  readonly roles: readonly UserRole[];
  readonly language: (typeof languages)[number] | null;
}

/** A session with its account, as it is read. */
export interface SessionRow {
  readonly session: typeof consoleSessions.$inferSelect;
  readonly user: Account;
}

/** An account as the console shows it; undefined for one that has no role there. */
export function shownAccount({ roles, ...account }: Account) {
  const role = consoleRole(roles);
  return role && { ...account, role };
}

/** Returns the API key scopes that these roles include. */
export const scopesOf = (roles: readonly UserRole[]) =>
  scopes
    .map(({ name }) => name)
    .filter((scope) => rolesWithScope(scope).some((role) => roles.includes(role)));

/** Describes its session to the console; undefined if the account has no role there any more. */
export function signedIn(
  { session, user }: SessionRow,
  settings: SettingsRow,
  { BASE_URL, REST_ROOT }: Pick<Config, 'BASE_URL' | 'REST_ROOT'>,
) {
  const account = shownAccount(user);
  return (
    account && {
      user: account,
      session_id: session.id,
      scopes: scopesOf(user.roles),
      authenticated_at: session.authenticated_at,
      fresh_until: addSeconds(session.authenticated_at, freshTime / 1000),
      expires_at: session.expires_at,
      store: {
        name: settings.store_name,
        currency: settings.currency,
        currency_exponent: settings.currency_exponent,
        timezone: settings.timezone,
        language: settings.language,
        dialling: diallingOf(settings.country),
        api_base: BASE_URL + prefixes(REST_ROOT).api,
      },
    }
  );
}

function diallingOf(country: string) {
  const [code, trunk] = dialledBefore()[country] ?? [];
  return code === undefined || trunk === undefined ? null : { code, trunk };
}

/** A session in the list of them. @param current the id of the one that asks */
export const shownSession = ({ session, user }: SessionRow, current: number) => ({
  ...session,
  user: { id: user.id, display_name: user.display_name },
  current: session.id === current,
});
