import * as z from 'zod';
import type { Authority } from '../../kernel/auth/principals.ts';
import { TokenClaims, signToken, verifyToken } from '../../kernel/auth/session-token.ts';
import type { Config } from '../../config.ts';
import {
  type DownloadLink,
  type FileRights,
  linkSeconds,
  mayDownload,
} from '../../domain/file/downloads.ts';
import type { FileRow } from '../../schema/files.ts';

const linkType = 'svc-file+jwt';

const LinkClaims = TokenClaims.extend({ sub: z.int(), file: z.int(), jti: z.uuid() });

export function signLink(
  { sessionKeys, issuer, audience }: Authority,
  user_id: number,
  file_id: number,
  now: Date,
): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const times = { iat, nbf: iat, exp: iat + linkSeconds };
  const claims = {
    ...{ iss: issuer, aud: audience, ...times },
    ...{ sub: user_id, file: file_id, jti: crypto.randomUUID() },
  };
  return signToken(linkType, claims, sessionKeys);
}

/** Returns null for an invalid token. */
export async function readLink(
  token: string,
  { sessionKeys, issuer, audience }: Authority,
  now: Date,
): Promise<{ user_id: number; file_id: number; link: DownloadLink } | null> {
  const expected = { issuer, audience, now, claims: LinkClaims };
  const claims = await verifyToken(linkType, token, sessionKeys, expected);
  if (!claims) return null;
  return {
    user_id: claims.sub,
    file_id: claims.file,
    link: { id: claims.jti, made: claims.iat },
  };
}

/** Makes a new link to each file that a person may download. */
export const linkedFiles = (
  files: readonly FileRow[],
  rights: FileRights,
  { authority, config, now }: { authority: Authority; config: Pick<Config, 'BASE_URL'>; now: Date },
) =>
  Promise.all(
    files
      .filter((file) => mayDownload(file, rights))
      .map(async (file) => ({
        ...file,
        url: `${config.BASE_URL}/download/${await signLink(authority, rights.user.id, file.id, now)}`,
      })),
  );
