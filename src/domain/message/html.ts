import { escapeHtml } from '../../lib/html.ts';
import type { Language } from '../../schema/lists.ts';
import { filledIn, misplaced, namesIn } from './filling.ts';

/** Renders plain text as HTML for mail programs: paragraphs, lines and links. Markup in the text is escaped. */
export const htmlOf = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => paragraphOf(paragraph.split('\n').map(linked).join('<br>\n')))
    .join('\n');

const paragraphOf = (html: string) => `<p style="margin:0 0 16px">${html}</p>`;

const linkTo = (url: string, name: string) =>
  `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`;

const linked = (line: string): string =>
  line
    .split(/(https?:\/\/[^\s<>"]+)/gi)
    .map((part, index) => {
      if (index % 2 === 0) return escapeHtml(part);
      const url = withoutPunctuation(part);
      return (
        (URL.canParse(url) ? linkTo(url, url) : escapeHtml(url)) +
        escapeHtml(part.slice(url.length))
      );
    })
    .join('');

/** Removes the sentence's punctuation from the end of an address. */
function withoutPunctuation(url: string): string {
  // A URL with an opening bracket can end with a closing one.
  const punctuation = url.includes('(') ? `.,:;!?'"’”…]}` : `.,:;!?'"’”…]})`;
  let end = url.length;
  while (end > 0 && punctuation.includes(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
}

export interface UnsubscribeLink {
  readonly url: string;
  readonly question: string;
  readonly link: string;
}

interface Page {
  readonly store: { readonly name: string; readonly url: string };
  readonly language: Language;
  readonly unsubscribing: UnsubscribeLink | null;
  /** The store's own layout, checked by `layoutProblem`. */
  readonly layout: string | null;
}

/** Uses the store's layout, or the plain one. */
export function pageOf(text: string, { store, language, unsubscribing, layout }: Page): string {
  const frame = layout ?? plainLayout(language);
  // A layout that contains the link has its own words for it.
  const ending = namesIn(frame).includes('unsubscribe-url') ? null : unsubscribing;
  return filledIn(frame, {
    content: ending === null ? htmlOf(text) : `${htmlOf(text)}\n${endingOf(ending)}`,
    'store-name': escapeHtml(store.name),
    'store-url': escapeHtml(store.url),
    'unsubscribe-url': escapeHtml(unsubscribing?.url ?? ''),
  });
}

const endingOf = ({ question, link, url }: UnsubscribeLink) =>
  `<p style="margin:24px 0 0;font-size:13px">${escapeHtml(question)} ${linkTo(url, link)}</p>`;

/** Without colours, so that mail programs can show it light or dark. */
const plainLayout = (language: Language) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
</head>
<body style="margin:0;padding:24px 16px">
<div style="max-width:560px;margin:0 auto;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;overflow-wrap:anywhere">
{{content}}
</div>
</body>
</html>`;

const layoutPlaces = ['content', 'store-name', 'store-url', 'unsubscribe-url'];

/** Code and embedded pages: mail programs drop them, or the whole mail. */
const active =
  /<\s*(script|iframe|frame|object|embed|form|base)\b|[\s/"']on[a-z]+\s*=|javascript:/i;

/** Returns the first fault of a store's layout, or undefined. */
export function layoutProblem(layout: string): string | undefined {
  const [wrong] = misplaced(layout, layoutPlaces);
  if (wrong !== undefined)
    return `must not contain ${wrong}: the placeholders of layouts are ${layoutPlaces.join(', ')}`;
  if (namesIn(layout).filter((name) => name === 'content').length !== 1) {
    return 'must contain {{content}} exactly once';
  }
  if (layout.split(/\r\n?|\n/).some(isCrowded)) {
    return 'must have {{unsubscribe-url}} on a line without other placeholders: that line is left out of messages that nobody can unsubscribe from';
  }
  return active.test(layout)
    ? 'must not contain scripts, event handlers, frames or forms'
    : undefined;
}

function isCrowded(line: string): boolean {
  const names = namesIn(line);
  return names.includes('unsubscribe-url') && new Set(names).size > 1;
}
