/** Renews the pictures of the README: run `npm run pictures` while a demo store runs (`npm start`). */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Page, chromium } from 'playwright-core';
import { command } from '../src/cli/support/command.ts';
import { readDemo } from '../src/cli/support/folder.ts';
import { findChromium } from './console/harness/chromium.ts';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'docs/pictures');
const size = { width: 1200, height: 720 };

const usage = `Renews the pictures in docs/pictures from the store that runs here.

  npm run pictures`;

/** Returns the page as WebP, which is a fifth of the size of a PNG. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 72 });
  return Buffer.from(data, 'base64');
}

const linkOf = (email: string) =>
  execFileSync('npm', ['run', '--silent', 'key', '--', 'console', email], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

await command({ usage }, async () => {
  const store = await readDemo();
  const executablePath = findChromium();
  if (!store || !executablePath)
    throw new Error('Start the demo store with `npm start`, and install Chromium.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await mkdir(folder, { recursive: true });
    const page = await browser.newPage({ viewport: size, locale: 'en-GB' });
    await page.goto(linkOf('ayu.lestari@demo.example'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: /^Revenue of/ }).waitFor();
    await writeFile(join(folder, 'console.webp'), await pictureOf(page));
    await page.goto(new URL('/docs/guides/first-sale', store.base_url).href);
    await page.getByRole('heading', { level: 1, name: 'First sale' }).waitFor();
    await writeFile(join(folder, 'docs.webp'), await pictureOf(page));
  } finally {
    await browser.close();
  }
});
