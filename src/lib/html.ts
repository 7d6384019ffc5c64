import { FilterXSS } from 'xss';

const plain =
  'p br hr b strong i em u s small mark sub sup span div ul ol li blockquote code pre h1 h2 h3 h4 h5 h6';

/**
 * Makes a filter of HTML for other pages. Text, links and pictures stay; scripts, styles, forms, event handlers and
 * addresses that run code are removed.
 * @param address one further value that a link's address may have
 */
export const htmlFilter = (address: string) => {
  const filter = new FilterXSS({
    whiteList: {
      ...Object.fromEntries(plain.split(' ').map((tag): [string, string[]] => [tag, []])),
      a: ['href', 'title', 'target', 'rel'],
      img: ['src', 'alt', 'title', 'width', 'height'],
    },
    stripIgnoreTag: true,
    stripIgnoreTagBody: ['script', 'style'],
    css: false,
    onTagAttr: (_, name, value) =>
      name === 'href' && value.trim() === address ? `href="${address}"` : undefined,
  });
  return (html: string): string => filter.process(html);
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, including attribute values. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
