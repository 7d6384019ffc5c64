/**
 * Takes the sign-in link from the address after its `#`, and removes it: neither history nor bookmarks keep the secret.
 */
export function takeLink(): string | undefined {
  const link = /^#link=(.+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return link;
}

export const linkCommand = (email = 'you@example.com') =>
  `npm run --silent key -- console ${email}`;
