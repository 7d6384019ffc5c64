/**
 * The sign-in link that the address carries after its `#`, which is removed from it: neither history nor
 * bookmarks keep the secret.
 */
export function takeLink(): string | undefined {
  const link = /^#link=(.+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return link;
}

/** The command that makes links for somebody. */
export const linkCommand = (email = 'you@example.com') =>
  `npm run --silent key -- console ${email}`;
