import type { Page } from 'playwright-core';

/** Collects the faults of a page as they happen. */
export async function watch(page: Page, origins: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  page.on('console', (message) => {
    // Screens handle refusals of the service, but the browser logs each of them.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`not caught: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (!origins.includes(asked) && protocol !== 'blob:')
      faults.push(`asked elsewhere: ${request.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`The policy refused ${blockedURI} by ${effectiveDirective}.`);
    });
    // Keys that press a button make clicks without a position.
    const counted = window as { clicks?: number };
    counted.clicks = 0;
    document.addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        if (isTrusted && detail > 0) counted.clicks = (counted.clicks ?? 0) + 1;
      },
      true,
    );
  });
  return faults;
}

/** Counts the clicks in a page since it was loaded. */
export const clicksOf = (page: Page): Promise<number> =>
  page.evaluate(() => (window as { clicks?: number }).clicks ?? 0);
