import { existsSync } from 'node:fs';

/** Paths of Chromium: CHROMIUM_PATH, or those of distributions. */
const places = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/**
 * The path of the browser for the console's tests; undefined if there is none, which is printed once.
 * @throws Error if CI_BROWSER is `required` and there is none
 */
export function findChromium(): string | undefined {
  const found = places.find((path) => path && existsSync(path));
  if (found !== undefined) return found;
  const text = 'There is no Chromium (see CHROMIUM_PATH): what is tested in one is left out.';
  if (process.env['CI_BROWSER'] === 'required') throw new Error(text);
  console.log(text);
  return undefined;
}
