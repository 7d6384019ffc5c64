import { scopes } from '../schema/scopes.ts';

/** The introduction for integrators, in Markdown. */
export const guide = (apiBase: string, idempotencyDays: number) => `
Sell products through your own applications. This service keeps the products, orders and users of
one store, and everything that follows from a sale: commissions, licences, access. It speaks JSON over
HTTPS.

\`\`\`
curl '${apiBase}/orders?per_page=2' -H 'Authorization: Bearer <API key>'
\`\`\`

## Callers
- **Servers** send an API key, as \`Authorization: Bearer <API key>\` or as \`X-Svc-Key: <API key>\`.
  A key carries scopes; each operation names the one it needs.
- **Users' apps** send a session token, as \`Authorization: Bearer <token>\`, and only to \`/me\`. Your
  server gets the token from \`POST /sessions\`. The user is always taken from the token: an app never
  sends a \`user_id\` to say who it acts for.

Without valid credentials an operation answers 401, whatever else is wrong with the request. A few
operations are open to everyone; they say so.

## Replies
One record is \`{"success": true, "data": {…}}\`, a list \`{"success": true, "data": […], "meta": {…}}\`.
Fields are added over time; ignore those you don't know. A field without a value is not left out: it is
\`null\` or \`""\`.

Every reply carries \`x-request-id\`. Log it: support needs it to find a request.

## Ids, money, time
- **Ids** are integers of up to 15 digits. A newer record has a higher id.
- **Money** is an integer in the smallest unit of the currency: 1500 is 15.00 in USD, 1500 in JPY.
  Each order names its \`currency\`. Percentages are numbers with up to 4 decimals.
- **Instants** are RFC 3339 in UTC, with milliseconds: \`2026-01-31T17:00:00.000Z\`. In a
  filter, a plain date (\`2026-01-31\`) means that whole day in the store's time zone.

## Lists
Lists start with the newest record. To get the next page, send \`meta.next_cursor\` as \`cursor\`, until it
is \`null\`: every page is equally fast, and none is missed when records are added in the meantime. \`page\`
and \`per_page\` work too, and come with exact totals. Filters combine. A filter with an empty value counts
as absent, and parameters that an operation does not know are named in \`meta.ignored_parameters\`.

**Copies:** orders, users, products, commissions, licences and subscriptions take \`sort=updated_at\` and
\`updated_since\`. Follow the cursors to the end, then send \`meta.next_updated_since\` of any of these pages next time. It
is 15 seconds behind the first page, since a change shows only once it is committed, up to ten seconds later: records may
come twice, and none is missed. \`updated_at\` does not move with what sales and registrations count (a product's \`stock\`; a
licence's activations and resets), with what only time brings (a hold that is over, an end that has come), nor with the names
and addresses of other records that are shown within. Deleted records are in no list.

**Your own data:** orders, users, products and licences are found by what you keep in \`meta\`: \`meta[plan]=pro\`.

**Files:** with \`.csv\` or \`.ndjson\` behind the path (\`/orders.csv?status=completed\`), or with \`Accept: text/csv\`
or \`Accept: application/x-ndjson\`, a list in pages is answered as a file of all that match: the same filters and order.
\`page\`, \`per_page\`, \`cursor\`, \`limit\`, \`offset\` and parameters that the list does not know are refused with 400. A line
of NDJSON is a record as the list shows it. In CSV a nested field has a column of its own (\`user.display_name\`),
lists are JSON, and an apostrophe stands before what spreadsheets would run as a formula, also within a text. A file is read while it is
sent: changes made meanwhile may or may not be in it. If it can't be completed, the connection breaks.

Replies that apps poll carry an \`ETag\`. Send it back as \`If-None-Match\`: until something changes, the answer is
304 without a body.

## Writing
- \`PUT\`, \`PATCH\` and \`POST\` on a record do the same: they change the fields you send and leave the
  others alone. The reply is the whole record as changed. New clients should use \`PATCH\`; \`PUT\` and
  \`POST\` remain for older ones.
- Fields that an operation does not know are ignored and named in \`meta.ignored_fields\`. But if leaving
  out a field means everything or no end (the amount of a refund, the end of a payout or an access, the string of a
  reset), the operation refuses unknown fields, unknown parameters and empty parameters with 400: its schemas say
  \`additionalProperties: false\`.
- **Two writers:** records carry a \`version\`. Send it back as \`If-Match: <version>\` and the write is
  refused with 409 \`rest_conflict\` if somebody else was faster. Read the record again and decide again.
  Sales change a product's stock but not its version: set \`stock\` together with \`stock_was\`, the units
  it replaces, or adjust it with \`stock_delta\`.
- **Repeats:** send an \`Idempotency-Key\` of your choice with every write, a new one for each thing you
  want done. If the reply gets lost, send the same request with the same key: nothing happens twice, and
  you get the first reply with \`Idempotency-Replayed: true\`. (Operations that show a secret are exceptions
  and say so.) Keys are kept for ${idempotencyDays} days. The same key with another request is refused with 422.
  Requests are the same if their path, query, body and \`If-Match\` are, byte for byte: JSON with other
  whitespace, or with its fields in another order, is another body. Keep the text you sent, and repeat that.

A write takes effect as a whole or not at all.

## Webhooks
Register a URL of yours with \`POST /webhooks\`, and store the \`secret\` in the reply. From then on, the URL
receives a \`POST\` for every event it subscribed to; the events are listed after the operations. They
carry whole records, so the key needs the scopes that read those records. Check the signature with a
Standard Webhooks library, answer with any 2xx within 15 seconds, and do the work afterwards. Any other
answer is tried again, for days. An event can therefore arrive twice, or after a later one: a repeat has
the same \`webhook-id\`.

If you cannot receive requests from outside, or prefer polling, register the service's own sink
(\`/sink\` of the notify namespace), which accepts everything at once, and read the webhook's feed
(\`/feed\`): every event in order, each once.

## Errors
\`\`\`
{"code": "rest_invalid_param", "message": "…", "data": {"status": 400, "params": {"quantity": "…"}}}
\`\`\`
Act on \`code\`; \`message\` is for people. Each operation lists its codes. In general:

| Status | Means | Do |
|---|---|---|
| 400 | The request is malformed; \`data.params\` says where. | Correct it. |
| 401 | The credentials are missing, wrong or no longer valid. | Get new ones. |
| 403 | The caller is known, but may not do this. | Ask for the scope or the role. |
| 404 | There is no such record, or this caller may not see it; \`rest_no_route\`: no such path. | |
| 405 | The path does not support this method. | Use one that \`Allow\` names. |
| 409 | The state of the records does not allow it. | See \`code\`; often, read again and decide. |
| 413, 415 | The body is too large, or not JSON in UTF-8. | |
| 422 | The \`Idempotency-Key\` was used for another request, if only by its whitespace. | Repeat the first one byte for byte, or use a new key. |
| 429, 503 | Too many requests, or a temporary fault. | Wait as long as \`Retry-After\` says, then repeat. |
| 500 | A fault of the service. | Quote \`data.request_id\` to support. |

## Clients
Generate one from \`/openapi.json\` (OpenAPI 3.1), or from \`/openapi-3.0.json\` where a generator reads no
3.1. Operations are named after what they do (\`ordersCreate\`), pages of lists after their records
(\`OrderPage\`), and every error is an \`ApiError\`.

## Versions
The version is part of the path: \`svc/v1\`. Within it, operations, optional parameters, fields and codes
may be added, but never removed or changed in meaning. Make sure your client accepts what it does not
know.

## Scopes
<details><summary>What each scope lets a key do</summary>

A write answers with the whole record, so a scope that writes shows the records that it changes.

| Scope | |
|---|---|
${scopes.map(({ name, description }) => `| \`${name}\` | ${description} |`).join('\n')}

</details>
`;
