import { catalogue } from '../domain/webhook/catalogue.ts';
import { endpoints } from '../endpoints.ts';
import { newSecret } from '../kernel/events/signing.ts';
import { Shared } from '../openapi/shared.ts';
import { webhooks } from '../openapi/webhooks.ts';
import { UsageError, command } from './support/command.ts';
import { readListener } from './support/folder.ts';
import { forward } from './support/forward.ts';

const events = Object.entries(catalogue)
  .map(([name, { summary }]) => `  ${name.padEnd(28)} ${summary}`)
  .join('\n');

const usage = `Posts a sample of an event to an address on this machine, signed like a delivery.

  npm run --silent trigger -- order.created [--forward http://localhost:3000/hook]

Without an address it goes where \`npm run listen\` posts to, signed with the same secret.`;

function sampleOf(name: string) {
  const post = webhooks(new Shared(endpoints))[name]?.post;
  if (!post)
    throw new UsageError(`There is no event ${name}. \`npm run trigger -- --help\` lists all.`);
  const example = post.requestBody.content['application/json'].example as object;
  return {
    ...example,
    id: `evt_${crypto.randomUUID()}`,
    created_at: new Date().toISOString(),
  };
}

const declaration = {
  details: `Events:\n${events}`,
  usage,
  options: { forward: { type: 'string' } },
  words: ['EVENT'],
} as const;

await command(declaration, async ({ values, words: [name = ''] }) => {
  const event = sampleOf(name);
  const listener = await readListener();
  const url = values.forward ?? listener?.forward;
  if (!url)
    throw new UsageError('Give the address to post to: --forward http://localhost:3000/hook');
  const secret = listener?.secret ?? newSecret();
  if (!listener) console.log(`Signed with the secret ${secret}`);
  const { answer, milliseconds } = await forward(url, event, secret);
  console.log(`${name} → ${url} → ${answer} (${milliseconds} ms)`);
  return answer.startsWith('2') ? 0 : 1;
});
