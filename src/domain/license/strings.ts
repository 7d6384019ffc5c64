/** A host name or address with what may stand around it: scheme, user, port, dot, path. */
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
  const trimmed = text.trim();
  return hostOf(trimmed) ?? trimmed;
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

/** Whether it is an IPv4 address that was written as one: `1.2` and `12345` are not. */
const isAddress = (name: string, written: string) => isNumeric(name) && name === written;

const isHostName = (name: string) => hostName.test(name) && !isNumeric(name);

const isNumeric = (name: string) => /(?:^|\.)\d+$/.test(name);

const free = /^(?:localhost|[a-z0-9_.-]+\.(?:test|local)|(?:staging|dev)\.[a-z0-9_.-]+)(?::\d+)?$/;

/** Whether an activation's string names a host for development, which takes no seat. */
export const isFreeHost = (string: string): boolean => free.test(string);
