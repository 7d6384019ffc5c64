import type { StaffRoleRow } from '../../schema/staff.ts';
import { type Config, prefixes } from '../../config.ts';
import { freshTime } from '../../kernel/auth/console-session.ts';
import type { consoleSessions } from '../../schema/console.ts';
import type { UserRole, languages } from '../../schema/lists.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { scopes } from '../../schema/scopes.ts';
import { dialledBefore } from '../../lib/phone.ts';
import { addSeconds } from '../../lib/instant.ts';
import { isAdministrator, isInConsole } from '../user/capabilities.ts';

interface Account {
  readonly id: number;
  readonly display_name: string;
  readonly email: string;
  readonly roles: UserRole[];
  readonly language: (typeof languages)[number] | null;
}

interface AccountRow {
  readonly user: Account;
  readonly staff_role: Pick<StaffRoleRow, 'id' | 'name' | 'scopes'> | null;
}

export interface SessionRow extends AccountRow {
  readonly session: typeof consoleSessions.$inferSelect;
}

/** Returns undefined if the account has no role in the console. */
export function shownAccount({ user: { roles, ...account }, staff_role }: AccountRow) {
  const role = isAdministrator({ roles }) ? ('administrator' as const) : ('staff' as const);
  if (role === 'staff' && !staff_role) return undefined;
  return { ...account, role, staff_role };
}

const scopesOf = ({ user, staff_role }: AccountRow) =>
  scopes
    .map(({ name }) => name)
    .filter(isAdministrator(user) ? isInConsole : (scope) => staff_role?.scopes.includes(scope));

/** Returns undefined if the account no longer has a role in the console. */
export function signedIn(
  row: SessionRow,
  settings: SettingsRow,
  { BASE_URL, REST_ROOT, MODULES }: Pick<Config, 'BASE_URL' | 'REST_ROOT' | 'MODULES'>,
) {
  const account = shownAccount(row);
  const { session } = row;
  return (
    account && {
      user: account,
      session_id: session.id,
      scopes: scopesOf(row),
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
        shop_url: MODULES.includes('shop') ? BASE_URL : null,
      },
    }
  );
}

function diallingOf(country: string) {
  const [code, trunk] = dialledBefore()[country] ?? [];
  return code === undefined || trunk === undefined ? null : { code, trunk };
}

/** @param current the id of the caller's session */
export const shownSession = (
  { session, user }: Pick<SessionRow, 'session' | 'user'>,
  current: number,
) => ({
  ...session,
  user: { id: user.id, display_name: user.display_name },
  current: session.id === current,
});
