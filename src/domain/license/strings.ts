import { trimmed } from '../../lib/text.ts';

/** A host name or address, perhaps with a scheme, user, port, dot or path. */
const shape =
  /^(?<scheme>(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^\s/?#\\@]*@)?)?(?<host>\[[0-9a-f:.]+\]|[^\s/?#\\@:[\]%]+)(?<port>:\d{1,5})?(?:[/?#].*)?$/isu;

const hostName = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9-]{1,63}$/;
const defaultPorts = ['', '80', '443'];

/**
 * The string an activation goes by. Of a host name or a URL that is the host: in lower case, IDN in
 * ASCII, without scheme, user, `www.`, path, default port and trailing dot. What is no host name,
 * like the fingerprint of a machine, is only trimmed. Applied again it changes nothing.
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
  // One word is the name of a host only where it says so; anything else can be one.
  const isNamed = scheme !== undefined || /[.[]/.test(name) || name === 'localhost';
  const isHost = name.startsWith('[') || isAddress(name, host) || isHostName(name);
  if (!isNamed || !isHost) return undefined;
  return defaultPorts.includes(url.port) ? name : `${name}:${url.port}`;
}

/** True for an IPv4 address that was written as one: `1.2` and `12345` are not. */
const isAddress = (name: string, written: string) =>
  isNumeric(name) && name === written.replace(/\.$/, '');

const isHostName = (name: string) => hostName.test(name) && !isNumeric(name);

const isNumeric = (name: string) => /(?:^|\.)\d+$/.test(name);

/** Names by which hosts for development go. */
const developed =
  /^(?:localhost|[a-z0-9_.-]+\.(?:localhost|test|local)|(?:staging|dev)\.[a-z0-9_.-]+)$/;

/** Addresses of the machine itself, of private networks and of a link (RFC 1122, 1918, 3927, 4193, 4291). */
const near =
  /^(?:(?:127|10)\.\d+|192\.168|169\.254|0\.0|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$|^\[?(?:::1?|f[cd][0-9a-f]{2}:[0-9a-f:]+|fe[89ab][0-9a-f]:[0-9a-f:]+)\]?$/;

/** An IPv4 address as one of IPv6: `[::ffff:7f00:1]`. */
const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** A scheme that no host follows. */
const noHost = /^(?:[a-z][a-z0-9+.-]*:)?\/\/+$/i;

/**
 * Tells a string that names a host for development, or one that nobody else can reach. It
 * takes no seat.
 */
export function isFreeHost(string: string): boolean {
  const host = string.replace(/(?<=^[^:]+|\]):\d+$/, '');
  const [, high, low] = mapped.exec(host) ?? [];
  const address = high && low ? ipv4Of(parseInt(high, 16), parseInt(low, 16)) : host;
  return developed.test(address) || near.test(address) || noHost.test(string);
}

const ipv4Of = (high: number, low: number) =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

export const mostFreeHosts = 50;
