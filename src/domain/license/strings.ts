import { trimmed } from '../../lib/text.ts';

/** A host name or address, with an optional scheme, user, port, trailing dot or path. */
const shape =
  /^(?<scheme>(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^\s/?#\\@]*@)?)?(?<host>\[[0-9a-f:.]+\]|[^\s/?#\\@:[\]%]+)(?<port>:\d{1,5})?(?:[/?#].*)?$/isu;

const hostName = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9-]{1,63}$/;
const defaultPorts = ['', '80', '443'];

/**
 * Normalises the string of an activation. A host name or URL becomes its host: lower case, IDN in ASCII, without
 * scheme, user, `www.`, path, default port and trailing dot. Any other string, like a machine's fingerprint, is only
 * trimmed. Normalising twice changes nothing.
 */
export function canonicalString(text: string): string {
  const bare = trimmed(text);
  return hostOf(bare) ?? bare;
}

function hostOf(text: string): string | undefined {
  const { scheme, host = '', port = '' } = shape.exec(text)?.groups ?? {};
  const url = URL.parse(`http://${host}${port}`);
  if (!url) return undefined;
  const name = url.hostname.replace(/\.$/, '').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  // A single word counts as a host only with a scheme or the like.
  const isNamed = scheme !== undefined || /[.[]/.test(name) || name === 'localhost';
  const isHost = name.startsWith('[') || isAddress(name, host) || isHostName(name);
  if (!isNamed || !isHost) return undefined;
  return defaultPorts.includes(url.port) ? name : `${name}:${url.port}`;
}

/** Tells if a text is an IPv4 address: `1.2` and `12345` are not. */
const isAddress = (name: string, written: string) =>
  isNumeric(name) && name === written.replace(/\.$/, '');

const isHostName = (name: string) => hostName.test(name) && !isNumeric(name);

const isNumeric = (name: string) => /(?:^|\.)\d+$/.test(name);

/** Development hosts. */
const developed =
  /^(?:localhost|[a-z0-9_.-]+\.(?:localhost|test|local)|(?:staging|dev)\.[a-z0-9_.-]+)$/;

/** Loopback, private and link-local addresses (RFC 1122, 1918, 3927, 4193, 4291). */
const near =
  /^(?:(?:127|10)\.\d+|192\.168|169\.254|0\.0|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$|^\[?(?:::1?|f[cd][0-9a-f]{2}:[0-9a-f:]+|fe[89ab][0-9a-f]:[0-9a-f:]+)\]?$/;

/** An IPv4 address mapped into IPv6: `[::ffff:7f00:1]`. */
const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** A scheme without a host. */
const noHost = /^(?:[a-z][a-z0-9+.-]*:)?\/\/+$/i;

/** Tells if a string names a development or private host, which takes no seat. */
export function isFreeHost(string: string): boolean {
  const host = string.replace(/(?<=^[^:]+|\]):\d+$/, '');
  const [, high, low] = mapped.exec(host) ?? [];
  const address = high && low ? ipv4Of(parseInt(high, 16), parseInt(low, 16)) : host;
  return developed.test(address) || near.test(address) || noHost.test(string);
}

const ipv4Of = (high: number, low: number) =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

export const mostFreeHosts = 50;
