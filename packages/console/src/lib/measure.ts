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

const sizes = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
  ['byte', 1],
] as const;

/** Formats a size in its largest unit. */
export function sizeText(bytes: number, locale: string): string {
  const [unit, size] = sizes.find(([, least]) => bytes >= least) ?? sizes[3];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: 1,
  }).format(bytes / size);
}
