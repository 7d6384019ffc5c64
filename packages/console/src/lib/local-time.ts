/** A moment in the form of the browser's date field, in the store's zone: `2026-03-12T16:05`. */
export function localIn(timezone: string, instant: string): string {
  const options = { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return new Intl.DateTimeFormat('sv-SE', options)
    .format(new Date(instant))
    .replace(' ', 'T')
    .slice(0, 16);
}

/**
 * The moment at which the store's clocks show a local time.
 * @param local `2026-03-12T16:05`
 */
export function instantIn(timezone: string, local: string): string {
  const wanted = Date.parse(`${local}Z`);
  const offsetAt = (time: number) =>
    Date.parse(`${localIn(timezone, new Date(time).toISOString())}Z`) - time;
  // The offset there may differ from that of the same time in UTC.
  const near = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(near)).toISOString();
}
