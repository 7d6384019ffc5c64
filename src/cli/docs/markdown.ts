import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../lib/html.ts';
import { codeBlock, samplePair } from './code.ts';
import { type Section, heading, slug } from './page.ts';

const marked = new Marked({
  renderer: {
    code: ({ text, lang }) => codeBlock(text, lang),
    heading({ tokens, depth, text }) {
      return heading(depth, slug(text), this.parser.parseInline(tokens));
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
      return `<div class="table" tabindex="0">\n<table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${rows}</tbody>\n</table>\n</div>\n`;
    },
  },
});

/** Guides name each other by their files. */
const addressOf = (href: string) =>
  href.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, '/docs/guides/$1');

/** Markdown as HTML. */
export const htmlOf = (markdown: string): string => render(marked.lexer(markdown));

/** A text of Markdown as one of plain words. */
export const wordsOf = (markdown: string): string =>
  markdown
    .replaceAll(/[`*_|]|^#+ /gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A source in Markdown: its title, its first paragraph, and the rest as HTML. */
export function article(markdown: string) {
  const tokens = marked.lexer(markdown);
  const [title, first, ...rest] = tokens.filter(({ type }) => type !== 'space');
  if (title?.type !== 'heading' || first?.type !== 'paragraph') {
    throw new Error('A guide begins with its title and a paragraph that says what it is for.');
  }
  return {
    title: (title as Tokens.Heading).text,
    summary: (first as Tokens.Paragraph).text,
    body: render(rest),
    sections: sectionsOf(rest),
  };
}

/** Blocks as HTML; one in curl followed by one in TypeScript is the same sample twice. */
function render(tokens: readonly Token[]): string {
  const blocks = tokens.filter(({ type }) => type !== 'space');
  return blocks
    .map((token, i) => {
      const next = blocks[i + 1];
      if (isCode(token, 'sh') && isCode(next, 'ts')) return samplePair(token.text, next.text);
      if (isCode(token, 'ts') && isCode(blocks[i - 1], 'sh')) return '';
      return marked.parser([token]);
    })
    .join('\n');
}

const isCode = (token: Token | undefined, language: string): token is Tokens.Code =>
  token?.type === 'code' && (token as Tokens.Code).lang === language;

/** The parts under headings of the second level, with what they say. */
export function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { title: string; words: string[] }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 2) {
      sections.push({ title: wordsOf((token as Tokens.Heading).text), words: [] });
    } else if (token.type !== 'code') sections.at(-1)?.words.push(wordsOf(token.raw));
  }
  return sections.map(({ title, words }) => ({ id: slug(title), title, text: words.join(' ') }));
}

/** The same of a text. */
export const sectionsIn = (markdown: string): Section[] => sectionsOf(marked.lexer(markdown));
