/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { StoreView } from './store.ts';

interface Frame {
  readonly store: StoreView;
  readonly title: string;
  readonly children: Child;
  /** True for pages that search engines should leave out. */
  readonly isPrivate?: boolean;
}

/** A whole page as text. */
export const pageOf = (frame: Frame): string =>
  `<!doctype html>${(Page(frame) as { toString(): string }).toString()}`;

const Page = ({ store, title, children, isPrivate = false }: Frame) => (
  <html lang={store.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {isPrivate && <meta name="robots" content="noindex" />}
      <title>{[title, store.name].filter(Boolean).join(' · ')}</title>
      <link rel="icon" href="/favicon.ico" />
      <link rel="stylesheet" href="/shop/shop.css" />
      <script src="/shop/shop.js" defer />
    </head>
    <body>
      <a class="skip" href="#content">
        {store.texts.skip}
      </a>
      <header class="bar">
        <a href="/">{store.name || store.texts.shop}</a>
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
    </body>
  </html>
);

/** The paragraphs of a typed text. */
export const Paragraphs = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/\n\s*\n/)
      .filter((part) => part.trim() !== '')
      .map((part) => (
        <p class="typed">{part.trim()}</p>
      ))}
  </>
);
