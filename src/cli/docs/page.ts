export interface Page {
  /** `/docs/guides/first-sale`; its file has `.html` behind it. */
  readonly path: string;
  /** In the menu too. */
  readonly title: string;
  /** The part of the menu it stands in. */
  readonly part: string;
  /** One sentence. */
  readonly summary: string;
  /** The content under the title, as HTML. */
  readonly body: string;
  readonly sections: readonly Section[];
}

/** A place in a page that one can go to, from its contents and from the search. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Its plain text, for the search. */
  readonly text: string;
}

/** A heading that can be linked to. */
export const heading = (depth: number, id: string, html: string): string =>
  `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;

/** An id for a heading. */
export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The id of a heading in Markdown: what it names (`{#orders-create}`) or has as code; else it is made of its words. */
export const idOf = (heading: string): string =>
  (/ \{#(\S+)\}$/.exec(heading) ?? /^`(.+)`$/.exec(heading))?.[1] ?? slug(heading);

/** A text without the id that it names. */
export const withoutId = (text: string): string => text.replace(/ \{#\S+\}$/, '');
