export interface Callback {
  readonly text: string;
  header(name: string): string | undefined;
}
