import type { Endpoint } from './endpoint.ts';

/** Endpoints that documents show together. */
export interface Resource {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}
