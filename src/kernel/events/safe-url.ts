import { type Config, prefixes } from '../../config.ts';

const ports = ['', '8443'];
const privateDomains = ['local', 'internal', 'localhost'];
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Recognises plain spellings of this machine's addresses. */
export const isLoopback = (url: string): boolean =>
  URL.canParse(url) && loopback.test(new URL(url).hostname);

/** Recognises the deployment's own sink, a test receiver. */
export const isOwnSink = (url: string, { BASE_URL, REST_ROOT }: Config): boolean =>
  url === `${BASE_URL}${prefixes(REST_ROOT).notify}/sink`;

/** Returns the reason why events may not be sent to an address; undefined if they may. */
export const refusedAddress = (text: string, config: Config): string | undefined =>
  isOwnSink(text, config) ? undefined : refusedElsewhere(text, config);

/**
 * Returns the reason why requests may not be sent to an address; undefined if they may. Requests may go to a public
 * host name by https, on port 443 or 8443. The network refuses names that resolve to private addresses. In development
 * with DEV_OUTBOUND, http to this machine is allowed too.
 */
export function refusedElsewhere(text: string, config: Config): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, port, username, password, hostname } = new URL(text);
  if (username || password) return 'must not carry a user name or password';
  if (config.DEV_OUTBOUND && protocol === 'http:' && loopback.test(hostname)) return undefined;
  if (protocol !== 'https:') return 'must start with https://';
  if (!ports.includes(port)) return 'must use port 443 or 8443';
  return refusedHost(hostname.replace(/\.+$/, ''), new URL(config.BASE_URL).hostname);
}

/** @param host in the URL parser's form: lower case, numbers as dotted decimals */
function refusedHost(host: string, ownHost: string): string | undefined {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'must name a host, not an IP address';
  const labels = host.split('.');
  if (labels.length < 2) return 'must name a host with a domain';
  if (privateDomains.includes(labels.at(-1) ?? '')) return 'must name a public host';
  return host === ownHost ? 'must not be this service itself' : undefined;
}
