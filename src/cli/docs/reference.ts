import { errorTable } from '../../domain/service/errors.ts';
import { declaredErrors } from '../../kernel/endpoint/declared-errors.ts';
import type { Endpoint } from '../../kernel/endpoint/endpoint.ts';
import type { Resource } from '../../kernel/endpoint/resource.ts';
import { escapeHtml } from '../../lib/html.ts';
import { operationName } from '../../openapi/names.ts';
import {
  type Document,
  type Located,
  type Operation,
  type Parameter,
  component,
  operationsIn,
  schemaOf,
} from '../../openapi/reading.ts';
import { callOf } from '../../../packages/client/build/operations.ts';
import { codeBlock } from './code.ts';
import { fieldList, fieldsOf } from './fields.ts';
import { htmlOf, wordsOf } from './markdown.ts';
import { type Page, heading, slug } from './page.ts';

/** A page for each resource, with all its operations. */
export function referencePages(resources: readonly Resource[], document: Document): Page[] {
  const order = operationsIn(document);
  const placed = new Map(order.map((place) => [place.operation.operationId, place]));
  return resources.map(({ name, description, endpoints }) => {
    const shown = endpoints.flatMap((endpoint) => {
      const place = placed.get(operationName(endpoint.id));
      return place ? [{ endpoint, place, title: titleOf(endpoint, place) }] : [];
    });
    shown.sort((one, other) => order.indexOf(one.place) - order.indexOf(other.place));
    return {
      path: `/docs/reference/${slug(name)}`,
      title: name,
      part: 'Reference',
      summary: description,
      body: contentsOf(shown) + shown.map((each) => operationOf(each, document)).join('\n'),
      sections: shown.map(({ endpoint, place, title }) => ({
        id: slug(endpoint.id),
        title,
        text: `${routeOf(place)} ${wordsOf(endpoint.description ?? '')}`,
      })),
    };
  });
}

interface Shown {
  readonly endpoint: Endpoint;
  readonly place: Located;
  readonly title: string;
}

/** Its summary; of two that do the same, the one whose body stands in the query is told by its method. */
const titleOf = ({ id, summary }: Endpoint, { method }: Located) =>
  id.endsWith('ByQuery') ? `${summary} (${method})` : summary;

const routeOf = ({ method, path }: Located) => `${method} ${path}`;

/** What a resource offers, at a glance. */
const contentsOf = (shown: readonly Shown[]) =>
  `<div class="table" tabindex="0">\n<table class="operations">\n<tbody>\n${shown
    .map(
      ({ endpoint, place, title }) =>
        `<tr><td><a href="#${slug(endpoint.id)}">${escapeHtml(title)}</a></td><td>${routeHtml(place)}</td></tr>`,
    )
    .join('\n')}\n</tbody>\n</table>\n</div>\n`;

const routeHtml = ({ method, path }: Located) =>
  `<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`;

function operationOf({ endpoint, place, title }: Shown, document: Document): string {
  const id = slug(endpoint.id);
  return `<section class="operation" aria-labelledby="${id}">
${heading(2, id, escapeHtml(title))}
<p class="route">${routeHtml(place)}</p>
${htmlOf(place.operation.description)}
${callText(endpoint)}
${inputOf(place.operation, document)}
${replyOf(place.operation, document)}
${errorsOf(endpoint)}
</section>`;
}

function callText(endpoint: Endpoint): string {
  const call = callOf(endpoint);
  return call ? `<p class="call">TypeScript: <code>${call}</code></p>` : '';
}

function inputOf({ parameters = [], requestBody }: Operation, document: Document): string {
  const known = parameters.map((each) => component(each, document.components.parameters));
  const titles = { path: 'Path', query: 'Query' };
  const lists = Object.entries(titles).map(([place, title]) => {
    const fields = known
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({ ...parameter, required: parameter.required ?? false }));
    return fields.length > 0 ? `<h3>${title}</h3>\n${fieldList(fields, 'required')}` : '';
  });
  lists.push(headersOf(known));
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!body) return lists.join('');
  const sentAs = type === 'application/json' ? '' : ` <span class="type">${type}</span>`;
  return `${lists.join('')}<h3>Body${sentAs}</h3>\n${fieldsOf(schemaOf(body.schema, document), 'required')}${exampleOf('Example of a body', body)}`;
}

/** Headers are the same everywhere: the conventions say what each is for. */
function headersOf(parameters: readonly Parameter[]): string {
  const names = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(
      ({ name }) => `<a href="/docs/conventions#${headerPlaces[name]}"><code>${name}</code></a>`,
    );
  return names.length > 0 ? `<p class="call">Headers: ${names.join(', ')}</p>` : '';
}

const headerPlaces: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'writing',
  'If-Match': 'writing',
  'If-None-Match': 'lists',
};

function replyOf({ responses }: Operation, document: Document): string {
  const [status = '', found] = Object.entries(responses).find(([code]) => code < '304') ?? [];
  const reply = found && component(found, document.components.responses);
  const [[type, content] = [], ...files] = Object.entries(reply?.content ?? {});
  if (!content) return '';
  const title = `<h3>Reply <span class="type">${status}</span></h3>\n`;
  if (type !== 'application/json') return `${title}<p><code>${type}</code></p>`;
  const { properties = {}, required = [] } = schemaOf(content.schema, document);
  // The conventions say what every reply has.
  const { success: _, meta: __, ...own } = properties;
  const fields = fieldsOf({ properties: own, required }, 'optional');
  const also = files.map(([of]) => `<code>${of}</code>`).join(' or ');
  return `${title}${fields}${also && `<p class="call">All of them: <a href="/docs/conventions#lists">as ${also}</a></p>`}${exampleOf('Example of a reply', content)}`;
}

const exampleOf = (title: string, { example }: { readonly example?: unknown }): string =>
  example === undefined
    ? ''
    : `<details><summary>${title}</summary>\n${codeBlock(JSON.stringify(example, undefined, 2), 'json')}</details>\n`;

/** What it may refuse with; a code's own page says what it means wherever it occurs. */
function errorsOf(endpoint: Endpoint): string {
  const rows = declaredErrors(endpoint, errorTable)
    .sort((one, other) => one.status - other.status)
    .map(
      ({ status, code, message }) =>
        `<tr><td>${status}</td><td><a href="/docs/errors#${code}"><code>${code}</code></a></td><td>${escapeHtml(message)}</td></tr>`,
    );
  return `<details><summary>Errors</summary>\n<div class="table" tabindex="0">\n<table>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>\n</div>\n</details>`;
}
