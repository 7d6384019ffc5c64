import { scopes } from '../schema/scopes.ts';

/** What an integrator has to know before the first request, as Markdown. */
export const guide = (apiBase: string, idempotencyDays: number) => `
Sell products through your own applications: this service keeps one store's products, orders and
users, and what follows from a sale: commissions, licences, access. It speaks JSON over HTTPS.

\`\`\`
curl '${apiBase}/orders?per_page=2' -H 'Authorization: Bearer <API key>'
\`\`\`

## Callers
- **Servers** send an API key, as \`Authorization: Bearer <API key>\` or as \`X-Svc-Key: <API key>\`.
  A key carries scopes; each operation names the one it needs.
- **Apps of users** send a session token, as \`Authorization: Bearer <token>\`, and only to \`/me\`. Your
  server gets the token from \`POST /sessions\`. Who the user is always comes from the token: an app
  never sends a \`user_id\` to identify itself.

Without valid credentials an operation answers 401, whatever else is wrong with the request. A few
are open to everyone; they say so.

## Replies
One record is \`{"success": true, "data": {…}}\`, a list \`{"success": true, "data": […], "meta": {…}}\`.
Fields are added over time; ignore those you don't know. A field without a value is there as \`null\`
or \`""\`.

Every reply of an operation has \`x-request-id\`. Keep it in your logs: support needs it to find a
request.

## Ids, money, time
- **Ids** are integers of up to 15 digits. They grow with time: a newer record has a higher id.
- **Money** is an integer in the smallest unit of the currency: 1500 is 15.00 in USD, 1500 in JPY.
  Each order says its \`currency\`. Percentages are numbers with up to 4 decimals.
- **Instants** are RFC 3339 in UTC, with milliseconds: \`2026-01-31T17:00:00.000Z\`. Where a filter
  takes a plain date (\`2026-01-31\`) it means that whole day in the store's time zone.

## Lists
Newest first. Follow \`meta.next_cursor\` by sending it as \`cursor\` until it is \`null\`: that takes the
same time on every page and misses nothing when records are added meanwhile. \`page\` and \`per_page\`
work too, and come with exact totals. Filters combine; one with an empty value counts as absent, and
parameters that an operation does not know are named in \`meta.ignored_parameters\`.

What apps ask for again and again has an \`ETag\`. Send it back as \`If-None-Match\`: the answer is 304
without a body until something changes.

## Writing
- \`PUT\`, \`PATCH\` and \`POST\` on a record do the same: they change the fields you send and leave the
  others. The reply is the whole record as it is then. New clients use \`PATCH\`; \`PUT\` and \`POST\` stay
  for older ones.
- Fields that an operation does not know are left alone and named in \`meta.ignored_fields\`.
- **Two writers:** records carry a \`version\`. Send it back as \`If-Match: <version>\` and the write is
  refused with 409 \`rest_conflict\` if somebody else was faster. Read again, decide again. Sales move
  the stock of a product and not its version: \`stock\` is set beside \`stock_was\`, the units it
  replaces, or moved by \`stock_delta\`.
- **Repeats:** send an \`Idempotency-Key\` of your own with every write, a new one for each thing you
  want done. When an answer gets lost, send the same request with the same key: nothing happens twice,
  and you get the first answer with \`Idempotency-Replayed: true\` (operations that show a secret say
  otherwise). Keys are kept for ${idempotencyDays} days. The same key with another request is refused with 422.

A write happens as a whole or not at all.

## Webhooks
\`POST /webhooks\` names an address of yours, and answers with a \`secret\` to keep. From then on the
address gets a \`POST\` for every event it asked for; the events are listed below the operations.
They carry whole records, so the key needs the scopes that read these.
Check the signature with a Standard Webhooks library, answer with any 2xx within 15 seconds, and do
the work afterwards. Anything else is tried again, for days. So an event can come twice, or after a
later one: \`webhook-id\` tells you that it is the same.

## Errors
\`\`\`
{"code": "rest_invalid_param", "message": "…", "data": {"status": 400, "params": {"quantity": "…"}}}
\`\`\`
Decide by \`code\`; \`message\` is for people. Each operation lists its codes. In general:

| Status | Means | Do |
|---|---|---|
| 400 | The request is malformed; \`data.params\` says where. | Correct it. |
| 401 | The credentials are missing, wrong or no longer valid. | Get new ones. |
| 403 | The caller is known, but may not do this. | Ask for the scope or the role. |
| 404 | There is no such record, at least not for this caller; \`rest_no_route\`: no such address. | |
| 405 | The address takes other methods. | Use one that \`Allow\` names. |
| 409 | The state of the records does not allow it. | See \`code\`; often: read again and decide. |
| 413, 415 | The body is too large, or not JSON in UTF-8. | |
| 422 | The \`Idempotency-Key\` was used for another request. | Use a new key. |
| 429, 503 | Too many requests, or a moment of trouble. | Wait for \`Retry-After\`, then repeat. |
| 500 | A fault of ours. | Quote \`data.request_id\` to support. |

## Versions
The version is part of the address: \`svc/v1\`. Within it, operations, optional parameters, fields and
codes are added, never removed or changed in meaning. So let your client accept what it does not know.

## Scopes
<details><summary>What each scope lets a key do</summary>

| Scope | |
|---|---|
${scopes.map(({ name, description }) => `| \`${name}\` | ${description} |`).join('\n')}

</details>
`;
