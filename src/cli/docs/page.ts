export interface Page {
  /** `/docs/guides/first-sale`; its file ends in `.html`. */
  readonly path: string;
  readonly title: string;
  /** Its part of the menu. */
  readonly part: string;
  /** One sentence. */
  readonly summary: string;
  /** The content under the title, as HTML. */
  readonly body: string;
  readonly sections: readonly Section[];
}

/** A part of a page, for its contents and for the search. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const heading = (depth: number, id: string, html: string): string =>
  `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;

export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The id of a Markdown heading: the one it names (`{#orders-create}`), its code, or otherwise its words. */
export const idOf = (heading: string): string =>
  (/ \{#(\S+)\}$/.exec(heading) ?? /^`(.+)`$/.exec(heading))?.[1] ?? slug(heading);

/** A heading's text without the id that it names. */
export const withoutId = (text: string): string => text.replace(/ \{#\S+\}$/, '');
