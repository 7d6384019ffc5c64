/** @jsxImportSource hono/jsx */
import { pageOf } from './layout.tsx';
import type { StoreView } from './store.ts';

export interface Message {
  readonly title: string;
  readonly text: string;
}

export const messagePage = (store: StoreView, { title, text }: Message): string =>
  pageOf({
    store,
    title,
    isPrivate: true,
    children: (
      <div class="narrow card">
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a href="/" target="_top">
            {store.texts.toShop}
          </a>
        </p>
      </div>
    ),
  });
