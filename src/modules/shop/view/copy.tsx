/** @jsxImportSource hono/jsx */
import type { StoreView } from './store.ts';

/** Hidden without scripts. */
export const Copy = ({ store: { texts }, text }: { store: StoreView; text: string }) => (
  <button type="button" class="button small" data-copy={text} data-done={texts.copied} hidden>
    {texts.copy}
  </button>
);
