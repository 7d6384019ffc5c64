type Names = readonly (readonly [mark: string, name: string])[];

/** A more special mark stands before the ones that its browsers send, too. */
const browsers: Names = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const systems: Names = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/** Names the browser and the system of a user agent; empty if neither is known. */
export function browserOf(
  userAgent: string,
  on: (browser: string, system: string) => string,
): string {
  const find = (names: Names) => names.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return browser && system ? on(browser, system) : (browser ?? system ?? '');
}
