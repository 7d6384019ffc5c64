import { readFileSync } from 'node:fs';
import { type PublishedConfig, prefixes } from '../../config.ts';
import { escapeHtml } from '../../lib/html.ts';
import { objectsPage, type Page as Text } from '../../openapi/markdown/pages.ts';
import type { Document } from '../../openapi/reading.ts';
import { missingPage } from '../../kernel/endpoint/docs-page.ts';
import { head, htmlPage } from './layout.ts';
import { article, htmlOf } from './markdown.ts';
import type { Page } from './page.ts';

/** The guides, in reading order; each is a file in `docs/guides`. */
export const guides = [
  'first-sale',
  'sessions',
  'webhooks',
  'affiliates',
  'licences',
  'subscriptions',
  'files',
  'shop',
  'going-live',
  'moving-in',
] as const;

const sourceOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8');

export const guideTexts = (): Text[] =>
  guides.map((name) => {
    const text = sourceOf(name);
    const { title, summary } = article(text);
    return {
      path: `/docs/guides/${name}.md`,
      title,
      description: summary.replaceAll('\n', ' '),
      text,
    };
  });

/**
 * The documentation of a deployment: files by path.
 * @param texts the published texts by path, including the reference in Markdown
 */
export function docsSite(
  config: PublishedConfig,
  document: Document,
  texts: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const published = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const reference = published.filter(({ path }) => path.startsWith('/docs/reference/'));
  const pages = pagesOf(config, document, reference);
  const beside = [
    listPage('/docs/guides', 'Guides', 'What most stores need, step by step.', pages),
    listPage('/docs/reference', 'Reference', 'The operations, by subject.', pages),
    missing,
  ];
  return new Map([
    ...[...pages, ...beside].map((page) => [`${page.path}.html`, htmlPage(page, pages)] as const),
    ['/docs/try.html', viewer],
    ['/docs/search.json', JSON.stringify(searchIndex(pages))],
  ]);
}

type Markdown = Pick<Text, 'path' | 'text'>;

function pagesOf(
  config: PublishedConfig,
  document: Document,
  reference: readonly Markdown[],
): Page[] {
  const apiBase = config.BASE_URL + prefixes(config.REST_ROOT).api;
  const start = sourcePage('README', '/docs', 'Guides', apiBase);
  return [
    { ...start, title: 'Start here' },
    ...guides.map((name) => sourcePage(name, `/docs/guides/${name}`, 'Guides', apiBase)),
    conventionsPage(document),
    ...referencePages([...reference, objectsPage(document)]),
  ];
}

/** Renders the reference. The Markdown lists objects with each resource; here they have one page. */
function referencePages(texts: readonly Markdown[]): Page[] {
  const pages = texts.map(({ path, text }) => ({
    path: path.replace('.md', '').replace(/reference\/(objects|events|errors)$/, '$1'),
    text: text.replace(/\n## Objects\n[^]*/, ''),
  }));
  const places = new Map(
    pages.flatMap(({ path, text }) =>
      [...text.matchAll(/^## `(.+)`$/gm)].map(([, name = '']) => [name, `${path}#${name}`]),
    ),
  );
  return pages.map(({ path, text }) => ({ path, part: 'Reference', ...article(text, places) }));
}

/** Renders a guide as a page, with the setup that its samples need. */
function sourcePage(name: string, path: string, part: string, apiBase: string): Page {
  const { body, ...said } = article(sourceOf(name));
  const setup = body.includes('class="sample"')
    ? `<p class="setup">Before the samples: <code>export API=${escapeHtml(apiBase)} KEY=svcapi_…</code>. The curl samples need <code>bash</code>, <code>curl</code> from 7.82, <code>jq</code> and <code>openssl</code>, the TypeScript samples <a href="/docs#the-client">the client</a>. Their comments show the output. Run them once on a store, in one language: afterwards their e-mail addresses are taken.</p>\n`
    : '';
  return { ...said, path, part, body: setup + body };
}

/** Renders the document's description from its first heading on; the text before it is on the start page. */
function conventionsPage({ info: { description } }: Document): Page {
  const text = description.slice(description.indexOf('## '));
  const title = '# Conventions\n\nWhat is the same in every request and reply.\n\n';
  return { path: '/docs/conventions', part: 'Reference', ...article(title + text) };
}

/** A page that lists the pages below its address, for readers who shorten an address. */
const listPage = (path: string, title: string, summary: string, pages: readonly Page[]): Page => ({
  ...{ path, title, part: title, summary, sections: [] },
  body: htmlOf(
    pages
      .filter((page) => page.path.startsWith(`${path}/`))
      .map((page) => `- [${page.title}](${page.path}): ${page.summary}`)
      .join('\n'),
  ),
});

const missing: Page = {
  path: missingPage,
  title: 'There is no such page',
  part: '',
  summary: 'It may have been renamed, or its address may have been cut off.',
  body: htmlOf('[Start here](/docs), or look it up: the search and the menu have every page.'),
  sections: [],
};

const searchIndex = (pages: readonly Page[]) =>
  pages.flatMap(({ path, title, part, summary, sections }) => [
    { href: path, title, place: part, text: summary },
    ...sections.map(({ id, title: section, text }) => ({
      href: `${path}#${id}`,
      title: section,
      place: title,
      text,
    })),
  ]);

/** The page for trying operations, which needs scripts. */
const viewer = `${head(
  { title: 'Try it', summary: 'Every operation, to be tried on this store.' },
  { styles: ['swagger-ui', 'try'], scripts: ['swagger-ui-bundle', 'try'] },
)}
<body>
<p class="back"><a href="/docs">← Documentation</a></p>
<noscript><p>This page needs JavaScript. <a href="/docs">The documentation</a> can be read without.</p></noscript>
<div id="document"></div>
</body>
</html>
`;
