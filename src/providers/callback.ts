/** A request to a provider's callback address. */
export interface Callback {
  readonly text: string;
  header(name: string): string | undefined;
}
