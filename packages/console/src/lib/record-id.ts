import { useRoute } from 'wouter';

/** Reads the id in a part of an address; undefined if the part is another word. */
export const idIn = (part = ''): number | undefined =>
  /^[1-9]\d{0,14}$/.test(part) ? Number(part) : undefined;

/** Returns the id in the address of a record, such as `/orders/:id`; undefined at any other address. */
export function useRecordId(path: string): number | undefined {
  const [, params] = useRoute<{ id: string }>(path);
  return idIn(params?.id);
}
