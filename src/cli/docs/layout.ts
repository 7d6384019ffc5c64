import { escapeHtml } from '../../lib/html.ts';
import { service } from '../../domain/service/service.ts';
import { wordsOf } from './markdown.ts';
import type { Page } from './page.ts';

/**
 * Renders a page as HTML that also works without scripts.
 * @param pages all pages, for the menu
 */
export const htmlPage = (page: Page, pages: readonly Page[]): string => `${head(page)}
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs">${service.name}</a>
<div id="search" role="search" hidden></div>
${page.body.includes('class="sample"') ? languageSwitch : ''}
<a class="menu-link" href="#menu">Menu</a>
</header>
<div class="columns">
<nav id="menu" aria-label="Documentation">
<a class="close" href="#content">Close</a>
${menu(page, pages)}
</nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(page.title)}</h1>
<p class="summary">${escapeHtml(wordsOf(page.summary))}</p>
${page.body}
${further(page, pages)}
</main>
${contents(page)}
</div>
</body>
</html>
`;

export const head = (
  { title, summary }: Pick<Page, 'title' | 'summary'>,
  { styles = ['docs'], scripts = ['docs'] } = {},
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(wordsOf(summary))}">
<title>${escapeHtml(title)} · ${service.name}</title>
<link rel="icon" href="/docs/favicon.png">
${styles.map((file) => `<link rel="stylesheet" href="/docs/${file}.css">`).join('\n')}
${scripts.map((file) => `<script src="/docs/${file}.js" defer></script>`).join('\n')}
</head>`;

const languageSwitch = `<fieldset class="switch">
<legend>Samples in</legend>
<input type="radio" name="language" id="in-sh" aria-label="curl" checked><label for="in-sh">curl</label>
<input type="radio" name="language" id="in-ts" aria-label="TypeScript"><label for="in-ts">TypeScript</label>
</fieldset>`;

function menu(current: Page, pages: readonly Page[]): string {
  const parts = Map.groupBy<string, Link>([...pages, ...tools], ({ part }) => part);
  const item = ({ path, title }: Link) => {
    const mark = path === current.path ? ' aria-current="page"' : '';
    return `<li><a href="${path}"${mark}>${escapeHtml(title)}</a></li>`;
  };
  return [...parts]
    .map(([part, links]) => `<h2>${part}</h2>\n<ul>\n${links.map(item).join('\n')}\n</ul>`)
    .join('\n');
}

type Link = Pick<Page, 'path' | 'title' | 'part'>;

const tools: readonly Link[] = [
  { path: '/docs/try', title: 'Try it', part: 'Tools' },
  { path: '/openapi.json', title: 'OpenAPI document', part: 'Tools' },
  { path: '/llms.txt', title: 'For agents', part: 'Tools' },
];

const contents = ({ sections }: Page): string =>
  sections.length < 2
    ? ''
    : `<nav class="contents" aria-label="On this page">
<h2>On this page</h2>
<ul>
${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('\n')}
</ul>
</nav>`;

function further(page: Page, pages: readonly Page[]): string {
  const at = pages.indexOf(page);
  const next = at < 0 ? undefined : pages[at + 1];
  return next
    ? `<p class="next">Next: <a href="${next.path}">${escapeHtml(next.title)}</a></p>`
    : '';
}
