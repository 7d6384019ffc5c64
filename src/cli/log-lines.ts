/** The fields of a line in the worker's log that are shown here. */
interface Line {
  readonly job?: string;
  readonly method?: string;
  /** Null for an address without a route. */
  readonly operation?: string | null;
  readonly path?: string;
  readonly status?: number;
  readonly trips?: number;
  readonly db_ms?: number;
  readonly error?: string;
  readonly sqlstate?: string;
  readonly http?: number;
  readonly cause?: string;
  readonly constraint?: string;
  readonly database?: string;
  readonly stack?: readonly string[];
  /** The figures of the store that an alert is about. */
  readonly figures?: readonly string[];
}

/** Renders a line of the worker's log for people. */
export function logLines(json: string): { request?: string; trouble?: string } {
  const line = JSON.parse(json) as Line;
  return {
    ...(line.job === undefined && { request: `  ${requestOf(line)}` }),
    ...(line.error !== undefined && { trouble: troubleOf(line) }),
  };
}

function requestOf({ status, method, operation, path, trips, db_ms }: Line): string {
  const noun = trips === 1 ? 'trip' : 'trips';
  return `${status} ${method} ${operation ?? path}  ${trips} ${noun}, ${db_ms} ms`;
}

function troubleOf({ job, error, figures, stack = [], ...line }: Line): string {
  // An alert that was sent is no failure of its job.
  if (figures) return `  alert: ${figures.join(', ')} out of order`;
  const causes = [line.cause, line.sqlstate, line.http && `HTTP ${line.http}`];
  const known = [...causes, line.constraint].filter(Boolean).join(', ');
  const what = `${error}${known && ` (${known})`}${line.database ? `: ${line.database}` : ''}`;
  const title = job === undefined ? `    ${what}` : `  job ${job} failed: ${what}`;
  return [title, ...stack.map((at) => `      ${at.trim()}`)].join('\n');
}
