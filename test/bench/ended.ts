import { once } from 'node:events';

/** Runs work until it is done or the process is told to end (by Ctrl-C or its parent), and closes everything. */
export async function untilEnded(
  work: (closers: AsyncDisposableStack) => Promise<void>,
): Promise<never> {
  await using closers = new AsyncDisposableStack();
  await Promise.race([work(closers), interruption()]);
  await closers.disposeAsync();
  process.exit();
}

async function interruption(): Promise<void> {
  // The parent may already have ended.
  if (process.send && !process.connected) return;
  await Promise.race(['SIGINT', 'SIGTERM', 'disconnect'].map((end) => once(process, end)));
  if (process.stderr.isTTY) process.stderr.write('\nClosing …\n');
  process.exitCode = 130;
  // Requests under way fail now.
  process.on('uncaughtException', () => {});
}
