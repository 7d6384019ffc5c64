import { SourceRefused } from './errors.ts';

export interface Address {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/**
 * Parses `mysql://user:password@host:3306/database`; the port is optional.
 * @throws SourceRefused without any part of the address: in a mistyped one, any part may be the password
 */
export function sourceAddress(url: string): Address {
  const { protocol, hostname, port, username, password, pathname, search, hash } =
    URL.parse(url) ?? {};
  const parts = [username, password, pathname?.slice(1)].map(decoded);
  const [user, secret, database] = parts;
  const isWhole = /^(mysql|mariadb):$/.test(protocol ?? '') && hostname && !search && !hash;
  if (!isWhole || !user || secret === undefined || !database || /[/@:]/.test(database))
    throw new SourceRefused(
      'address',
      "SOURCE_URL isn't the address of a MySQL database. Write it as mysql://user:password@host:3306/database, and percent-encode special characters of the password: @ as %40, / as %2F, # as %23",
    );
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 3306),
    user,
    password: secret,
    database,
  };
}

function decoded(part = ''): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
