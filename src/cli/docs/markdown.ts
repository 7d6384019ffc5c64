import { Marked, type Parser, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../lib/html.ts';
import { codeBlock, samplePair } from './code.ts';
import { type Section, heading, idOf, withoutId } from './page.ts';

/** Addresses of pages, by the names that link to them. */
type Places = ReadonlyMap<string, string>;

const parserOf = (places: Places) =>
  new Marked({
    renderer: {
      code: ({ text, lang }) => codeBlock(text, lang),
      html: ({ text }) => escapeHtml(text),
      codespan: ({ text }) => `<code>${linked(text, places)}</code>`,
      heading({ tokens, depth, text }) {
        const html = withoutLinks(this.parser.parseInline(tokens));
        return heading(depth, idOf(text), withoutId(html));
      },
      link({ href, tokens }) {
        const html = withoutLinks(this.parser.parseInline(tokens));
        return `<a href="${escapeHtml(addressOf(href))}">${html}</a>`;
      },
      paragraph({ tokens }) {
        return `<p>${inline(this.parser, tokens)}</p>\n`;
      },
      table(token) {
        return isFieldTable(token) ? fieldList(this.parser, token) : tableOf(this.parser, token);
      },
    },
  });

/** Guides link to each other by file. */
const addressOf = (href: string) =>
  href.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, '/docs/guides/$1');

/** Links names in code: all of it, or each object in a type. */
function linked(text: string, places: Places): string {
  const link = (name: string) => {
    const place = places.get(name);
    return place ? `<a href="${place}">${name}</a>` : name;
  };
  return places.has(text) ? link(text) : escapeHtml(text).replaceAll(/\b[A-Z]\w+/g, link);
}

const withoutLinks = (html: string) => html.replaceAll(/<\/?a\b[^>]*>/g, '');

/** Renders inline tokens; the method of a request that stands alone is shown separately. */
function inline(parser: Parser, tokens: Token[]): string {
  const html = parser.parseInline(tokens);
  return html.replace(
    /^<code>(GET|POST|PUT|PATCH|DELETE) ([^<]+<\/code>)$/,
    (_, method: string, path: string) =>
      `<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}`,
  );
}

function tableOf(parser: Parser, { header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(parser, tokens)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<div class="table" tabindex="0">\n<table>\n<thead>${row(header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table>\n</div>\n`;
}

const isFieldTable = ({ header: [first] }: Tokens.Table) =>
  first?.text === 'Field' || first?.text === 'Parameter';

/** Renders a table of fields as a list, which has room for long types and descriptions. */
function fieldList(parser: Parser, { header, rows }: Tokens.Table): string {
  const note = (html: string, kind = '') =>
    html === '' ? '' : ` <span class="${kind}">${html === 'yes' ? kind : html}</span>`;
  const fields = rows.map((cells) => {
    const [name, ...others] = cells.map(({ tokens }) => parser.parseInline(tokens));
    const description = others.pop();
    const notes = others.map((html, i) => note(html, header[i + 1]?.text.toLowerCase()));
    return `<dt>${name}${notes.join('')}</dt>\n<dd>${description}</dd>`;
  });
  return `<dl class="fields">\n${fields.join('\n')}\n</dl>\n`;
}

export function htmlOf(markdown: string): string {
  const marked = parserOf(new Map());
  return render(marked.lexer(markdown), marked);
}

export const wordsOf = (markdown: string): string =>
  markdown
    .replaceAll(/[`*|]|\b_|_\b|^#+ /gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Renders a Markdown source; its title and first paragraph are not in `body`. */
export function article(markdown: string, places: Places = new Map()) {
  const marked = parserOf(places);
  const tokens = marked.lexer(markdown);
  const [title, first, ...rest] = tokens.filter(({ type }) => type !== 'space');
  if (title?.type !== 'heading' || first?.type !== 'paragraph') {
    throw new Error('A page begins with its title and a paragraph that says what it is for.');
  }
  return {
    title: (title as Tokens.Heading).text,
    summary: (first as Tokens.Paragraph).text,
    body: render(rest, marked),
    sections: sectionsOf(rest),
  };
}

/**
 * Renders blocks. A sample in curl followed by one in TypeScript is one sample. A label folds the code or list below
 * it; above anything else it is a heading.
 */
function render(tokens: readonly Token[], marked: Marked): string {
  const blocks = tokens.filter(({ type }) => type !== 'space');
  return blocks
    .map((token, i) => {
      const [before, next] = [blocks[i - 1], blocks[i + 1]];
      if (isCode(token, 'sh') && isCode(next, 'ts')) return samplePair(token.text, next.text);
      if (isCode(token, 'ts') && isCode(before, 'sh')) return '';
      if (isLabel(token)) return isFolded(next) ? '' : labelOf('h3', token, marked);
      const html = marked.parser([token]);
      return isFolded(token) && isLabel(before)
        ? `<details>${labelOf('summary', before, marked)}\n${html}</details>`
        : html;
    })
    .join('\n');
}

const isCode = (token: Token | undefined, language: string): token is Tokens.Code =>
  token?.type === 'code' && (token as Tokens.Code).lang === language;

/** Tells if a paragraph labels the next block: bold text, with at most its type. */
const isLabel = (token: Token | undefined): token is Tokens.Paragraph =>
  token?.type === 'paragraph' && /^\*\*[^*]+\*\*(?:: `[^`]+`)?$/.test(token.raw.trim());

const isFolded = (token: Token | undefined) => token?.type === 'code' || token?.type === 'list';

const labelOf = (tag: string, token: Token, marked: Marked) =>
  marked.parser([token]).replace(/^<p><strong>(.*?)<\/strong>(.*)<\/p>/, `<${tag}>$1$2</${tag}>`);

/** The sections under headings of the second level, with their text. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: (Section & { words: string[] })[] = [];
  let isLabelled = false;
  for (const token of tokens) {
    if (isHeading(token)) {
      const title = wordsOf(withoutId(token.text));
      sections.push({ id: idOf(token.text), title, text: '', words: [] });
      isLabelled = false;
    } else if (isLabel(token)) isLabelled = true;
    else if (!isLabelled && token.type !== 'code') sections.at(-1)?.words.push(searched(token));
  }
  return sections.map(({ words, ...section }) => ({ ...section, text: words.join(' ') }));
}

const isHeading = (token: Token): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth === 2;

/** The words of a block; for fields, their names. */
const searched = (token: Token): string =>
  token.type === 'table' && isFieldTable(token as Tokens.Table)
    ? (token as Tokens.Table).rows.map(([name]) => wordsOf(name?.text ?? '')).join(' ')
    : wordsOf(token.raw);
