/** Whole days of the store, including the last: `2026-03-01` to `2026-03-12`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const day = 86_400_000;

const shifted = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** Moves a day to another month, or to that month's last day if it is shorter. */
function inMonth(date: string, by: number): string {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + by, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month - 1 + by, Math.min(dayOfMonth, last)));
  return moved.toISOString().slice(0, 10);
}

const lastOfMonth = (date: string): string => shifted(`${inMonth(date, 1).slice(0, 7)}-01`, -1);

export function namedPeriods(today: string) {
  const month = `${today.slice(0, 7)}-01`;
  const last = inMonth(month, -1);
  return {
    month: { from: month, to: today },
    last_month: { from: last, to: lastOfMonth(last) },
    week: { from: shifted(today, -6), to: today },
    days: { from: shifted(today, -29), to: today },
    year: { from: `${today.slice(0, 4)}-01-01`, to: today },
  } as const;
}

/** The period to compare another one with: the one before it, or the same days a year ago. */
export function besides({ from, to }: Period, to_what: 'before' | 'year'): Period {
  if (to_what === 'year') return { from: inMonth(from, -12), to: inMonth(to, -12) };
  // Months are compared with months, although their lengths differ.
  if (from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7)) {
    const before = inMonth(from, -1);
    const isWhole = to === lastOfMonth(from);
    return { from: before, to: isWhole ? lastOfMonth(before) : inMonth(to, -1) };
  }
  const length = (Date.parse(to) - Date.parse(from)) / day + 1;
  return { from: shifted(from, -length), to: shifted(from, -1) };
}
