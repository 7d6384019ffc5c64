import { readPeppers } from '../kernel/auth/secret-token.ts';
import { readSessionKeys } from '../kernel/auth/session-token.ts';
import { Refused } from './support/command.ts';
import { type Secrets, type SecretsSource, localSecrets } from './support/folder.ts';

interface StoreSecrets {
  readonly secrets: Secrets;
  readonly source: SecretsSource;
}

/**
 * Returns the secrets for `npm start`: this machine's or, for a database in DATABASE_URL, those in the environment.
 * @param isNew true if the store begins with this start
 * @throws Error if the environment has only one of them, or an unreadable one
 */
export async function storeSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  isNew: boolean,
): Promise<StoreSecrets> {
  const { DATABASE_URL, API_KEY_PEPPERS = '', SESSION_KEYS = '' } = environment;
  if (!DATABASE_URL || (API_KEY_PEPPERS === '' && SESSION_KEYS === ''))
    return { secrets: await localSecrets(), source: isNew ? 'machine' : 'unknown' };
  if (API_KEY_PEPPERS === '' || SESSION_KEYS === '')
    throw new Refused(
      'Set both API_KEY_PEPPERS and SESSION_KEYS to the values of the deployment of this database.',
    );
  await Promise.all([readPeppers(API_KEY_PEPPERS), readSessionKeys(SESSION_KEYS)]);
  return { secrets: { API_KEY_PEPPERS, SESSION_KEYS }, source: 'environment' };
}
