/** A request to the address of a provider's callbacks. */
export interface Callback {
  readonly text: string;
  header(name: string): string | undefined;
}
