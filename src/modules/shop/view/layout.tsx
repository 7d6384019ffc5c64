/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { StoreView } from './store.ts';
import { accountTexts } from './texts/account.ts';

interface Frame {
  readonly store: StoreView;
  readonly title: string;
  readonly children: Child;
  /** True to keep search engines away. */
  readonly isPrivate?: boolean;
}

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
      {store.color && <link rel="stylesheet" href={`/shop/colors/${store.color.slice(1)}.css`} />}
      <script src="/shop/shop.js" defer />
    </head>
    <body class="shop">
      <a class="skip" href="#content">
        {store.texts.skip}
      </a>
      <header class="bar">
        <a href="/" target="_top">
          {store.logo ? (
            <img class="logo" src={store.logo} alt={store.name} height="36" />
          ) : (
            store.name || store.texts.shop
          )}
        </a>
        <a class="small" href="/account" target="_top">
          {accountTexts[store.language].title}
        </a>
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
      <StoreLinks store={store} />
    </body>
  </html>
);

const linkNames = ['contact', 'terms', 'privacy', 'imprint'] as const;

/** Shown below every page. */
const StoreLinks = ({ store: { links, texts } }: { readonly store: StoreView }) => {
  const shown = linkNames.filter((name) => links[name] !== '');
  if (shown.length === 0) return null;
  return (
    <footer class="links small">
      {shown.map((name) => (
        <a href={links[name]} target="_top" rel="noreferrer">
          {texts.links[name]}
        </a>
      ))}
    </footer>
  );
};

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
