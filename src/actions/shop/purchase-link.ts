import type { Authority } from '../../kernel/auth/principals.ts';
import { TokenClaims, signToken, verifyToken } from '../../kernel/auth/session-token.ts';
import { CheckoutForm } from '../../domain/checkout/form.ts';

/** Seconds. */
const linkLifetime = 3600;

const linkType = 'svc-purchase+jwt';

const LinkClaims = TokenClaims.extend({ form: CheckoutForm });

/** Signs a form for a mailed link. The link proves that its sender owns the address. */
export function signForm(
  form: CheckoutForm,
  { issuer, audience, sessionKeys }: Authority,
  now: Date,
): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { iss: issuer, aud: audience, iat, nbf: iat, exp: iat + linkLifetime };
  return signToken(
    linkType,
    { ...claims, form: { ...form, quote: '', link: '' } } as TokenClaims,
    sessionKeys,
  );
}

/** Undefined for an invalid or expired text. */
export async function readForm(
  token: string,
  { issuer, audience, sessionKeys }: Authority,
  now: Date,
): Promise<CheckoutForm | undefined> {
  if (token === '') return undefined;
  const expected = { issuer, audience, claims: LinkClaims, now };
  const claims = await verifyToken(linkType, token, sessionKeys, expected);
  return claims?.form;
}
