import type { Capability, Scope } from '../vocabulary/vocabulary.ts';

/** The callers that an endpoint admits. There is no default: every endpoint names one of these. */
export type Access =
  | { readonly kind: 'key'; readonly scopes: readonly [Scope, ...Scope[]] }
  | { readonly kind: 'session'; readonly capability?: Capability }
  | { readonly kind: 'admin'; readonly switched?: true; readonly console?: true }
  | { readonly kind: 'console'; readonly capability: Capability }
  | { readonly kind: 'open'; readonly reason: string };

export const apiKey = <S extends Scope>(scope: S) => ({ kind: 'key', scopes: [scope] }) as const;

/** API keys that carry at least one of the scopes. */
export const anyScope = (...scopes: [Scope, ...Scope[]]) => ({ kind: 'key', scopes }) as const;

export const session = () => ({ kind: 'session' }) as const;

export const capable = (capability: Capability) => ({ kind: 'session', capability }) as const;

/** Sessions of a direct administrator: `manage_options`, and neither switched nor impersonated. */
export const admin = () => ({ kind: 'admin' }) as const;

/** Also admits administrators in the console. */
export const administrator = () => ({ kind: 'admin', console: true }) as const;

/** Also admits sessions in which an administrator acts as another user; the endpoint tells them apart. */
export const adminOrSwitched = () => ({ kind: 'admin', switched: true }) as const;

/** Console sessions of users who have the capability; no key and no token. */
export const consoleSession = (capability: Capability) =>
  ({ kind: 'console', capability }) as const;

export const open = (reason: string) => ({ kind: 'open', reason }) as const;
