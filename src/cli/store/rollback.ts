/** A deployment, as far as it decides on the way back from it. */
interface DeploymentChange {
  /** The version of the worker that answered before; undefined for the first. */
  readonly before: string | undefined;
  readonly hasOtherSecrets: boolean;
  /** The newest migrations of Durable Objects: that of the deployment before, and its own. */
  readonly migrations: readonly [before: string | undefined, after: string];
}

const otherWay =
  "Deploy the version before from its tag, with today's secrets and the newest [[migrations]].";

/**
 * Says why a worker may not be rolled back: Cloudflare refuses across a migration of Durable Objects, and the worker
 * before would come back with the secrets of then.
 * @returns undefined where it may
 */
export function refusedRollback(change: DeploymentChange): string | undefined {
  const [before, after] = change.migrations;
  if (change.before === undefined)
    return 'The worker was not rolled back: there is none before it.';
  if (change.hasOtherSecrets)
    return `The worker was not rolled back: its secrets were changed with it. ${otherWay}`;
  if (before !== undefined && before !== after)
    return `The worker was not rolled back: Durable Objects were migrated with it, from ${before} to ${after}. ${otherWay}`;
  return undefined;
}
