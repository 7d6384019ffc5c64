import type { Endpoint } from './endpoint.ts';

/** Endpoints that belong together, as documents show them. */
export interface Resource {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}
