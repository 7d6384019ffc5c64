import { Unreachable } from './database.ts';

/**
 * Runs a command. What goes wrong is said without a stack, and the process ends with 1.
 * @param run may return the code to end with
 */
export async function command(run: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    console.error(explained(error as Error));
    process.exitCode = 1;
  }
}

function explained(error: Error): string {
  const isOfStore = error instanceof Unreachable && !process.env['DATABASE_URL'];
  return isOfStore ? 'The store is not running: start it with `npm start`.' : error.message;
}
