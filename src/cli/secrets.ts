import { writeFile } from 'node:fs/promises';
import { generatePepper } from '../kernel/auth/secret-token.ts';
import { generateSessionKey } from '../kernel/auth/session-token.ts';
import { Refused, command } from './support/command.ts';

const usage = `npm run secrets -- FILE

Makes API_KEY_PEPPERS and SESSION_KEYS for a new deployment, and writes them into a new file that only you can read, in
the form that \`wrangler secret bulk\` takes. It never writes over a file: the secrets in it may be the only copy.`;

await command({ usage, words: ['FILE'] }, async ({ words: [file = ''] }) => {
  const lines = [
    `API_KEY_PEPPERS=${generatePepper(1)}`,
    // In quotes, so that a shell can read the file too.
    `SESSION_KEYS='${JSON.stringify({ keys: [await generateSessionKey()] })}'`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 }).catch(explain);
  console.log(`${file} has the secrets of a new deployment. Nobody else can read it; keep it so.`);
});

/** @throws Refused if the file exists, Error if it cannot be written */
function explain(error: Error & { code?: string }): never {
  if (error.code !== 'EEXIST') throw error;
  throw new Refused(
    'The file is there already. Its secrets may be the only copy of a deployment: choose another name.',
    { cause: error },
  );
}
