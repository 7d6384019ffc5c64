import { Refused, UsageError, command } from './support/command.ts';
import { table } from './support/table.ts';
import { Deployment } from './deployment-check/asking.ts';
import { checks } from './deployment-check/checks.ts';

const usage = `SALES_API_KEY=svcapi_… npm run check:deployment -- https://api.shop.example

Tries on a deployment what depends on Neon and Cloudflare themselves: trips and their times, cold starts, writes at once,
revocation, files, limits, the scheduler. It names what differs from the local stack, and what the store still lacks. It
makes a few users and a webhook, and deletes them; take a store that sells nothing yet, and a key of every scope.

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
      'Set SALES_API_KEY to a key of every scope: npm run key -- create --name Check --all-scopes',
    );
  const deployment = new Deployment(address, key);
  await deployment.open();
  const rows = [];
  for (const { name, run } of checks) {
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
