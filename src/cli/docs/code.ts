import { escapeHtml } from '../../lib/html.ts';

const titles: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript' };

const keywords =
  'as async await break case catch class const continue else export for from function if import in instanceof let new of return throw try type while';

/** Highlighted parts of a language: comments, texts, and its keywords. */
const grammars: Readonly<Record<string, RegExp>> = {
  sh: /(?<comment>(?<=^|\s)#.*$)|(?<string>'[^']*'|"[^"]*")|(?<word>\$\{?\w+\}?|\b(?:curl|export)\b)/gm,
  ts: new RegExp(
    String.raw`(?<comment>\/\/.*$)|(?<string>'[^'\n]*'|\`[^\`]*\`)|(?<word>\b(?:${keywords.replaceAll(' ', '|')})\b)`,
    'gm',
  ),
  json: /(?<word>"[^"]*"(?=:))|(?<string>"[^"]*")/g,
};

/** Renders code as HTML, in a block that scrolls by keyboard. */
export function codeBlock(text: string, language = ''): string {
  return `<pre tabindex="0" class="${language || 'text'}"><code>${highlighted(text, grammars[language])}</code></pre>`;
}

/** Renders a sample in curl and in TypeScript. The page's switch selects one. */
export const samplePair = (sh: string, ts: string): string =>
  `<div class="sample">\n${panel('sh', sh)}\n${panel('ts', ts)}\n</div>`;

const panel = (language: string, text: string) =>
  `<div class="in-${language}"><p class="languages">${tabs(language)}</p>${codeBlock(text, language)}</div>`;

/** The names of the languages; clicking the other one changes the page's switch. */
const tabs = (shown: string) =>
  Object.entries(titles)
    .map(([language, title]) =>
      language === shown
        ? `<strong>${title}</strong>`
        : `<label for="in-${language}">${title}</label>`,
    )
    .join(' ');

function highlighted(text: string, grammar: RegExp | undefined): string {
  if (!grammar) return escapeHtml(text);
  let at = 0;
  const parts = [...text.matchAll(grammar)].map((match) => {
    const before = text.slice(at, match.index);
    at = match.index + match[0].length;
    const [kind] =
      Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    return `${escapeHtml(before)}<span class="${kind}">${escapeHtml(match[0])}</span>`;
  });
  return parts.join('') + escapeHtml(text.slice(at));
}
