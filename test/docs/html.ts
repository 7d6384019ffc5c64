const empty = new Set(['meta', 'link', 'input', 'br', 'hr', 'img']);

/** Every element that the pages use; any other is a text that was not escaped. */
const known = new Set(
  `html head title body header main nav section fieldset legend div p span strong em del noscript
   a h1 h2 h3 ul ol li dl dt dd pre code table thead tbody tr th td details summary label script
   blockquote meta link input br hr img`.split(/\s+/),
);

/** Elements that end a paragraph. */
const blocks = new Set('div p ul ol dl pre table section details h1 h2 h3 fieldset nav'.split(' '));

/** Lists the faults of a page: elements that are not closed or in wrong order, unknown elements, and repeated ids. */
export function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-zA-Z][^\s>/]*)[^>]*>/g)) {
    if (!known.has(name)) faults.push(`${tag} is no element of these pages`);
    if (slash === '') {
      if (blocks.has(name) && open.includes('p')) faults.push(`${tag} stands in a paragraph`);
      if (!empty.has(name)) open.push(name);
    } else if (open.pop() !== name) faults.push(`${tag} closes something else`);
  }
  const ids = idsIn(html);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  return [...faults, ...open.map((name) => `<${name}> stays open`), ...twice];
}

export const idsIn = (html: string): string[] =>
  [...html.matchAll(/<[^>]*\sid="([^"]+)"/g)].map(([, id = '']) => id);

export const addressesIn = (html: string): { address: string; isLoaded: boolean }[] =>
  [...html.matchAll(/<(\w+)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, element, address = '']) => ({
    address,
    isLoaded: element !== 'a',
  }));
