import type { Authority } from '../../kernel/auth/principals.ts';
import { type SessionClaims, signSession } from '../../kernel/auth/session-token.ts';
import { kernelError } from '../../kernel/errors/errors.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { UserRow } from '../../domain/user/rules.ts';
import { newClaims } from '../../domain/session/rules.ts';

interface Grant {
  readonly user: UserRow['user'];
  readonly settings: SettingsRow;
  readonly provider: string;
  /** By default the user's own id. */
  readonly providerUserId: string | undefined;
  readonly authority: Authority;
  readonly now: Date;
}

/** The session starts after any earlier sessions were revoked. */
export const claimsFor = ({
  user,
  settings,
  provider,
  providerUserId,
  authority,
  now,
}: Grant): SessionClaims =>
  newClaims({
    userId: user.id,
    isAdmin: user.roles.includes('administrator'),
    issuer: authority.issuer,
    audience: authority.audience,
    provider,
    providerUserId: providerUserId || String(user.id),
    sid: crypto.randomUUID(),
    jti: crypto.randomUUID(),
    lifetime: settings.session_ttl,
    notBefore: Math.ceil(Date.parse(user.sessions_valid_after ?? '1970-01-01') / 1000),
    now,
  });

/** Signs a token and returns its record. A token that continues a session ends when the session does. */
export async function issueToken(
  claims: SessionClaims,
  { id, display_name, email }: UserRow['user'],
  { sessionKeys }: Authority,
  now: Date,
) {
  const token = await signSession(claims, sessionKeys).catch(() => {
    throw kernelError('svc_session_issue_failed');
  });
  return {
    token,
    token_type: 'Bearer' as const,
    expires_in: Math.max(claims.exp - Math.max(claims.iat, Math.floor(now.getTime() / 1000)), 0),
    user: { id, display_name, email: email ?? '' },
  };
}
