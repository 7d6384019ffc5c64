/** A moment as a field of the browser has it, in the store's zone: `2026-03-12T16:05`. */
export function localIn(timezone: string, instant: string): string {
  const options = { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return new Intl.DateTimeFormat('sv-SE', options)
    .format(new Date(instant))
    .replace(' ', 'T')
    .slice(0, 16);
}

/** The moment at which clocks of the store show that. @param local `2026-03-12T16:05` */
export function instantIn(timezone: string, local: string): string {
  const wanted = Date.parse(`${local}Z`);
  const offsetAt = (time: number) =>
    Date.parse(`${localIn(timezone, new Date(time).toISOString())}Z`) - time;
  // The offset there may be another than the one at the same figures in UTC.
  const near = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(near)).toISOString();
}
