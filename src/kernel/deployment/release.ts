import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' };

declare global {
  /** Set by the build, if it knows the commit; absent in Node. */
  var SALES_API_COMMIT: string | undefined;
}

/** The running code, and the newest migration that it knows. */
export const release = {
  version: '0.1.0',
  commit: globalThis.SALES_API_COMMIT ?? null,
  schema: journal.entries.at(-1)?.tag ?? '',
} as const;
