import { type Document, operationsIn, schemaOf } from '../reading.ts';
import type { JsonSchema } from '../schema.ts';
import { type Calls, fieldTable, operationText } from './operation.ts';
import { code, fenced, fieldsOf, namesIn, table, typeOf } from './types.ts';

/** A page of the documentation as Markdown. */
export interface Page {
  /** Where it is, from the root on. */
  readonly path: string;
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly description: string;
  readonly text: string;
}

/** The reference of a deployment: an overview, a page for each resource, and one for the events. */
export const pagesOf = (document: Document, calls: Calls): Page[] => [
  {
    path: '/docs/overview.md',
    title: 'Overview',
    description: 'Callers, replies, lists, writing, webhooks, errors, scopes.',
    text: `# ${document.info.title}\n\n${document.info.description.trim()}\n`,
  },
  ...document.tags.map((tag) => resourcePage(tag, document, calls)),
  eventsPage(document),
];

function resourcePage(
  { name, description }: Document['tags'][number],
  document: Document,
  calls: Calls,
): Page {
  const operations = operationsIn(document).filter(
    ({ operation }) => operation.tags.includes(name) && !operation.deprecated,
  );
  const text = [
    `# ${name}`,
    description,
    ...operations.map((located) => operationText(located, document, calls)),
    objectsText(
      operations.map(({ operation }) => operation),
      document,
    ),
  ];
  return {
    path: `/docs/reference/${name.toLowerCase().replaceAll(' ', '-')}.md`,
    title: name,
    description,
    text: `${text.filter(Boolean).join('\n\n')}\n`,
  };
}

function eventsPage(document: Document): Page {
  const sent = Object.entries(document.webhooks).map(([event, { post }]) => {
    const content = post.requestBody?.content['application/json'];
    const { data = {} } = (content && schemaOf(content.schema, document).properties) ?? {};
    return { event, post, content, data: data as JsonSchema };
  });
  const description = 'What is sent to webhooks and stands in the feed.';
  const rows = sent.map(({ event, post, data }) => [code(event), post.summary, code(typeOf(data))]);
  const text = [
    '# Events',
    description,
    table(['Event', 'When', '`data`'], rows),
    '**Example**',
    fenced('json', sent.find(({ event }) => event === 'order.created')?.content?.example),
    objectsText(
      sent.map(({ data }) => data),
      document,
    ),
  ];
  return {
    path: '/docs/reference/events.md',
    title: 'Events',
    description,
    text: `${text.join('\n\n')}\n`,
  };
}

/** The objects that something refers to by name, and those that they refer to in turn. */
function objectsText(from: readonly unknown[], { components }: Document): string {
  const names = new Set(from.flatMap((part) => namesIn(part)));
  for (const name of names) for (const inner of namesIn(components.schemas[name])) names.add(inner);
  const objects = [...names].sort().flatMap((name) => {
    const schema = components.schemas[name];
    if (!schema) return [];
    const fields = fieldsOf(schema);
    const body = fields.length > 0 ? fieldTable(fields) : code(typeOf(schema));
    return [[`### ${name}`, schema.description, body].filter(Boolean).join('\n\n')];
  });
  return objects.length > 0 ? ['## Objects', ...objects].join('\n\n') : '';
}
