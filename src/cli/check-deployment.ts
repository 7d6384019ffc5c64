import { Refused, UsageError, command } from './support/command.ts';
import { table } from './support/table.ts';
import { Deployment } from './deployment-check/asking.ts';
import { checks, wrongKeys } from './deployment-check/checks.ts';

const usage = `SALES_API_KEY=svcapi_… npm run check:deployment -- https://api.shop.example

Checks the behaviour of a deployment that depends on Neon and Cloudflare: round trips and their times, cold starts, parallel
writes, revocation, files, limits, the scheduler. It prints the differences from the local stack, and what the store still
lacks. It creates a few users and a webhook, and deletes them: use a store that sells nothing yet, and a key of all scopes.
At the end it sends up to ${wrongKeys} wrong keys until they are limited; for the next minute your address then gets 429 for wrong keys.

It ends with 0 if nothing differs, 1 if something does.`;

/** @throws UsageError */
function addressOf(word: string): string {
  const { origin = 'null' } = URL.parse(word) ?? {};
  if (!/^https?:/.test(origin))
    throw new UsageError(`${word} is not an address like https://api.shop.example.`);
  return origin;
}

await command({ usage, words: ['URL'] }, async ({ words: [word = ''] }) => {
  const address = addressOf(word);
  const key = process.env['SALES_API_KEY'];
  if (!key)
    throw new Refused(
      'Set SALES_API_KEY to a key of all scopes. Make it in the console, or with DATABASE_URL_DIRECT and API_KEY_PEPPERS of the deployment in the environment: npm run key -- create --name Check --all-scopes',
    );
  const deployment = new Deployment(address, key);
  await deployment.open();
  const rows = [];
  for (const { name, warning, run } of checks) {
    if (warning) console.error(`  ${warning}`);
    const { found, isRight } = await run(deployment).catch((error: Error) => ({
      found: error.message,
      isRight: false,
    }));
    rows.push({ checked: name, '': isRight ? 'as here' : 'DIFFERS', found });
    console.error(`  ${name}`);
  }
  console.log(table(rows));
  return rows.every((row) => row[''] === 'as here') ? 0 : 1;
});
