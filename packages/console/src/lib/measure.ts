const ages = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration in its largest unit: 90 000 seconds are “1 day”. */
export function ageText(seconds: number, locale: string): string {
  const [unit, size] = ages.find(([, least]) => seconds >= least) ?? ages[3];
  return new Intl.NumberFormat(locale, {
    ...{ style: 'unit', unit, unitDisplay: 'long' },
    maximumFractionDigits: 1,
  }).format(seconds / size);
}

/** Formats a size in megabytes, or in gigabytes from a thousand megabytes on. */
export function sizeText(bytes: number, locale: string): string {
  const [unit, size] = bytes >= 1e9 ? (['gigabyte', 1e9] as const) : (['megabyte', 1e6] as const);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: 1,
  }).format(bytes / size);
}
