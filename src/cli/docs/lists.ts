import { errorTable } from '../../domain/service/errors.ts';
import { catalogue } from '../../domain/webhook/catalogue.ts';
import type { Resource } from '../../kernel/endpoint/resource.ts';
import { declaredErrors } from '../../kernel/endpoint/declared-errors.ts';
import { escapeHtml } from '../../lib/html.ts';
import { componentName } from '../../openapi/names.ts';
import type { Document } from '../../openapi/reading.ts';
import type { JsonSchema } from '../../openapi/schema.ts';
import { codeBlock } from './code.ts';
import { fieldsOf, typeOf } from './fields.ts';
import { htmlOf, wordsOf } from './markdown.ts';
import { type Page, type Section, heading } from './page.ts';

/** A part of a list: where one can go, and what stands there. */
interface Entry extends Section {
  readonly html: string;
}

const listPage = (
  page: Pick<Page, 'path' | 'title' | 'summary'>,
  intro: string,
  entries: readonly Entry[],
): Page => ({
  ...page,
  part: 'Reference',
  body: htmlOf(intro) + entries.map(({ html }) => html).join('\n'),
  sections: entries,
});

/** Every event, with a sample of what is sent. */
export function eventsPage({ webhooks, components }: Document): Page {
  const entries = Object.entries(catalogue).map(([name, { summary, scope }]): Entry => {
    const event = webhooks[name]?.post.requestBody?.content['application/json'];
    const schema = components.schemas[`${componentName(name)}Event`];
    const data = (schema?.properties?.['data'] ?? {}) as JsonSchema;
    const sample = codeBlock(JSON.stringify(event?.example, undefined, 2), 'json');
    return {
      id: name,
      title: name,
      text: wordsOf(summary),
      html: `${heading(2, name, `<code>${name}</code>`)}${htmlOf(summary)}
<p><code>data</code>: ${typeOf(data)} · Scope: <code>${scope}</code></p>
${fieldsOf(data, 'optional')}<details><summary>Example</summary>\n${sample}</details>`,
    };
  });
  return listPage(
    { path: '/docs/events', title: 'Events', summary: 'What webhooks and the feed tell of.' },
    'A webhook subscribes to events by name, to all of a resource (`order.*`) or to all there are (`*`). Its key needs the scope that reads what they carry. New events may be added; see [new types of events](/docs/guides/webhooks#events-you-have-never-heard-of).',
    entries,
  );
}

/** Every error, with what answers so. */
export function errorsPage(resources: readonly Resource[]): Page {
  const declared = resources
    .flatMap(({ endpoints }) => endpoints)
    .flatMap((endpoint) => declaredErrors(endpoint, errorTable));
  const codes = Map.groupBy(declared, ({ code }) => code as string);
  const entries = [...codes].sort(byName).map(([code, found]): Entry => {
    const meanings = [
      ...new Map(found.map((each) => [`${each.status} ${each.message}`, each])).values(),
    ];
    const lines = meanings.map(
      ({ status, message }) => `<p><strong>${status}</strong> ${escapeHtml(message)}</p>`,
    );
    return {
      id: code,
      title: code,
      text: meanings.map(({ message }) => message).join(' '),
      html: heading(2, code, `<code>${code}</code>`) + lines.join('\n'),
    };
  });
  return listPage(
    { path: '/docs/errors', title: 'Errors', summary: 'Every code, and what it means.' },
    'Act on `code` and on the status; `message` is for people, and its wording may change. What to do about a status is said in [the conventions](/docs/conventions#errors).',
    entries,
  );
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** Whether it has fields, and isn't a whole reply: those stand with the operations. */
const isRecord = ({ properties }: JsonSchema) =>
  properties !== undefined && (properties['success'] as JsonSchema | undefined)?.const !== true;

/** Every object that requests and replies are made of. */
export function objectsPage({ components }: Document): Page {
  const entries = Object.entries(components.schemas)
    .filter(([name, schema]) => !name.endsWith('Event') && isRecord(schema))
    .map(([name, schema]): Entry => ({
      id: name,
      title: name,
      text: Object.keys(schema.properties ?? {}).join(' '),
      html: `${heading(2, name, escapeHtml(name))}${schema.description ? htmlOf(schema.description) : ''}${fieldsOf(
        schema,
        'optional',
      )}`,
    }));
  return listPage(
    {
      path: '/docs/objects',
      title: 'Objects',
      summary: 'The records, and what is sent to make and change them.',
    },
    'Fields are added over time: ignore those that you don’t know. A field that isn’t marked as optional is always there, and has to be sent.',
    entries,
  );
}
