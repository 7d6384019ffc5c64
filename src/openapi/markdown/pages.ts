import { catalogue } from '../../domain/webhook/catalogue.ts';
import { type Document, operationsIn, schemaOf } from '../reading.ts';
import { type JsonSchema, componentOf } from '../schema.ts';
import { type Calls, anchorOf, errorsOf, operationText, routeOf, titleOf } from './operation.ts';
import { code, fenced, fieldTable, fieldsOf, namesIn, table, typeOf } from './types.ts';

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/** An overview, a page for each resource, one for the events and one for the errors. */
export function pagesOf(served: Document, calls: Calls): Page[] {
  const document = withValues(served);
  const overview = {
    path: '/docs/overview.md',
    title: 'Overview',
    description: 'Callers, replies, lists, writing, webhooks, errors, scopes.',
    text: `# ${document.info.title}\n\n${document.info.description.trim()}\n`,
  };
  const resources = document.tags.map((tag) => resourcePage(tag, document, calls));
  return [overview, ...resources, eventsPage(document), errorsPage(document)];
}

/** Inserts closed lists: readers want to see a list of statuses where it is used. */
const withValues = (document: Document): Document =>
  JSON.parse(JSON.stringify(document), (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('$ref' in part)) return part;
    const named = document.components.schemas[componentOf(part as JsonSchema) ?? ''];
    if (!named || named.properties) return part;
    const { $ref: _ref, ...rest } = part;
    return { ...named, ...rest };
  }) as Document;

const referencePage = (
  title: string,
  description: string,
  parts: readonly (string | undefined)[],
): Page => ({
  path: `/docs/reference/${title.toLowerCase().replaceAll(' ', '-')}.md`,
  title,
  description,
  text: `${[`# ${title}`, description, ...parts].filter(Boolean).join('\n\n')}\n`,
});

function resourcePage(
  { name, description }: Document['tags'][number],
  document: Document,
  calls: Calls,
): Page {
  const operations = operationsIn(document).filter(
    ({ operation }) => operation.tags.includes(name) && !operation.deprecated,
  );
  const links = operations.map((located) => [
    `[${titleOf(located)}](#${anchorOf(located, calls)})`,
    routeOf(located),
  ]);
  return referencePage(name, description, [
    table(['Operation', 'Request'], links),
    ...operations.map((located) => operationText(located, document, calls)),
    objectsText(
      operations.map(({ operation }) => withContent(operation, document)),
      document,
    ),
  ]);
}

/** Inserts schemas in place of references. */
const withContent = (operation: object, document: Document): unknown =>
  JSON.parse(JSON.stringify(operation), (key, part: unknown) =>
    key === 'schema' ? schemaOf(part as JsonSchema, document) : part,
  );

function eventsPage(document: Document): Page {
  const sent = Object.entries(catalogue).map(([name, { summary, scope }]) => {
    const content = document.webhooks[name]?.post.requestBody?.content['application/json'];
    const { data = {} } = (content && schemaOf(content.schema, document).properties) ?? {};
    return { name, summary, scope, example: content?.example, data: data as JsonSchema };
  });
  /** Only the first event with the same data shows its example. */
  const firstOf = ({ data }: { readonly data: JsonSchema }) =>
    sent.find((other) => typeOf(other.data) === typeOf(data));
  const texts = sent.map((event) => {
    const { name, summary, scope, example, data } = event;
    const fields = fieldsOf(data);
    const first = firstOf(event);
    return [
      `## ${code(name)}`,
      summary,
      `Data: ${code(fields.length > 0 ? 'object' : typeOf(data))}. Scope: ${code(scope)}.`,
      fieldTable(fields, 'Optional'),
      first === event
        ? `**Example**\n\n${fenced('json', example)}`
        : `The example is like that of ${code(first?.name ?? '')}.`,
    ]
      .filter(Boolean)
      .join('\n\n');
  });
  return referencePage('Events', 'The events that are sent to webhooks and listed in the feed.', [
    'A webhook subscribes to events by name, to all of a resource (`order.*`) or to all events (`*`). Its key needs the scope that reads the records they carry. New events may be added; see [new types of events](/docs/guides/webhooks#events-you-have-never-heard-of).',
    ...texts,
    objectsText(
      sent.map(({ data }) => data),
      document,
    ),
  ]);
}

function errorsPage(document: Document): Page {
  const errors = operationsIn(document)
    .flatMap(({ operation }) => errorsOf(operation, document))
    .toSorted((one, other) => (one.code < other.code ? -1 : 1));
  const texts = [...Map.groupBy(errors, (error) => error.code)].map(([name, found]) => {
    const meanings = new Set(found.map(({ status, message }) => `**${status}** ${message}`));
    return [`## ${code(name)}`, ...meanings].join('\n\n');
  });
  return referencePage('Errors', 'Every code, and what it means.', [
    'Act on `code` and on the status; `message` is for people, and its wording may change. [The conventions](/docs/conventions#errors) say what to do about each status.',
    ...texts,
  ]);
}

/** All objects except events and whole replies, which are shown with their operations. */
export function objectsPage(served: Document): Page {
  const document = withValues(served);
  const isOfOthers = (name: string, { properties = {} }: JsonSchema) =>
    name.endsWith('Event') || (properties['success'] as JsonSchema | undefined)?.const === true;
  const texts = Object.entries(document.components.schemas)
    .filter(([name, schema]) => schema.properties && !isOfOthers(name, schema))
    .map(([name, schema]) => objectText(`## ${code(name)}`, schema));
  return referencePage('Objects', 'The records, and what is sent to make and change them.', [
    'Fields are added over time: ignore those that you don’t know. A field that isn’t marked as optional is always there, and has to be sent.',
    ...texts,
  ]);
}

/** Objects that are referred to by name, directly or indirectly. */
function objectsText(from: readonly unknown[], { components }: Document): string {
  const names = new Set(from.flatMap((part) => namesIn(part)));
  for (const name of names) for (const inner of namesIn(components.schemas[name])) names.add(inner);
  const objects = [...names].sort().flatMap((name) => {
    const schema = components.schemas[name];
    return schema ? [objectText(`### ${name}`, schema)] : [];
  });
  return objects.length > 0 ? ['## Objects', ...objects].join('\n\n') : '';
}

function objectText(heading: string, schema: JsonSchema): string {
  const fields = fieldsOf(schema);
  const body = fields.length > 0 ? fieldTable(fields, 'Optional') : code(typeOf(schema));
  return [heading, schema.description, body].filter(Boolean).join('\n\n');
}
