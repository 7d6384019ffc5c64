import { once } from 'node:events';

/**
 * Does what a process is for until it is done or told to end, by Ctrl-C or whoever started it. Either
 * way everything is closed.
 */
export async function untilEnded(
  work: (closers: AsyncDisposableStack) => Promise<void>,
): Promise<never> {
  await using closers = new AsyncDisposableStack();
  await Promise.race([work(closers), interruption()]);
  await closers.disposeAsync();
  process.exit();
}

async function interruption(): Promise<void> {
  // The parent may be gone already.
  if (process.send && !process.connected) return;
  await Promise.race(['SIGINT', 'SIGTERM', 'disconnect'].map((end) => once(process, end)));
  if (process.stderr.isTTY) process.stderr.write('\nClosing …\n');
  process.exitCode = 130;
  // Requests that are under way fail now, which is of no interest.
  process.on('uncaughtException', () => {});
}
