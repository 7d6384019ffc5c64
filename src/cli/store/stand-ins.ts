import type { Config } from '../../config.ts';

/** Keys that tell their mode, which providers compare with the variable of it. */
const keys: Readonly<Record<string, Readonly<Record<'sandbox' | 'production', string>>>> = {
  STRIPE_SECRET_KEY: { sandbox: 'sk_test_', production: 'sk_live_' },
  XENDIT_SECRET_KEY: { sandbox: 'xnd_development_', production: 'xnd_production_' },
};

const isSandboxKey = (value: unknown) =>
  typeof value === 'string' && /^(SB-|[rs]k_test_|xnd_development_)/.test(value);

/** Completes a configuration by secrets whose values are unknown, so that providers see which of them are set. */
export function withStandIns(config: Config, names: readonly string[]): Config {
  return {
    ...config,
    ...Object.fromEntries(names.map((name) => [name, standInFor(name, config)])),
  };
}

/** Returns a value that a provider accepts beside the known ones. */
function standInFor(name: string, config: Config): string {
  const [provider = ''] = name.split('_');
  const known = Object.entries(config).filter(([other]) => other.startsWith(`${provider}_`));
  const isSandbox = known.some(([, value]) => value === 'sandbox' || isSandboxKey(value));
  const mode = isSandbox ? 'sandbox' : 'production';
  if (name.endsWith('_MODE')) return mode;
  if (name.endsWith('_URL')) return 'https://unknown.example';
  if (name === 'RESEND_WEBHOOK_SECRET') return 'whsec_AAAA';
  return keys[name]?.[mode] ?? 'unknown';
}
