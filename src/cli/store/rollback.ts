/** The facts of a deployment that a rollback depends on. */
interface DeploymentChange {
  /** The previous version of the worker; undefined for the first. */
  readonly before: string | undefined;
  /** The last version that was seen ready, now or by a note. */
  readonly ready: string | undefined;
  readonly hasOtherSecrets: boolean;
  /** The newest migrations of Durable Objects: the previous deployment's, and its own. */
  readonly migrations: readonly [before: string | undefined, after: string];
}

const otherWay =
  "Deploy the previous version from its tag, with today's secrets and the newest [[migrations]].";

/**
 * Returns the reason why a worker may not be rolled back: Cloudflare refuses across a migration of Durable Objects, the
 * previous worker would return with its old secrets, and that of an interrupted deployment may be broken.
 */
export function refusedRollback(change: DeploymentChange): string | undefined {
  const [before, after] = change.migrations;
  if (change.before === undefined)
    return 'The worker was not rolled back: there is none before it.';
  if (change.before !== change.ready)
    return `The worker was not rolled back: the version before it, ${change.before}, was not seen ready either. Correct the fault and deploy again. Or: ${otherWay}`;
  if (change.hasOtherSecrets)
    return `The worker was not rolled back: its secrets were changed with it, or those before are not noted. Put them right and deploy again. Or: ${otherWay}`;
  if (before !== undefined && before !== after)
    return `The worker was not rolled back: Durable Objects were migrated with it, from ${before} to ${after}. ${otherWay}`;
  return undefined;
}
