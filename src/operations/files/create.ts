import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { encodeHex } from '../../lib/bytes.ts';
import { drawId, nextId, sendIf } from '../../kernel/database/statements.ts';
import {
  attachmentRefusal,
  newFile,
  readyFile,
  sizeOfFormRefusal,
  toProductFile,
} from '../../domain/file/rules.ts';
import { plainName } from '../../domain/file/names.ts';
import { FileCreate, ProductFile, largestForm } from '../../domain/file/schemas.ts';
import { findContent } from '../../queries/access.ts';
import { insertFile } from '../../queries/files.ts';
import { findProduct } from '../../queries/products.ts';

export const createFile = endpoint({
  id: 'files.create',
  route: ['POST /files'],
  summary: 'Upload a file',
  description:
    'As `multipart/form-data` up to 25 MiB. A larger file goes in parts: send its `name` and `size` as JSON, then each part by `PUT /files/{id}/parts/{part}`, and finally `POST /files/{id}/complete`.',
  access: apiKey('files:write'),
  effect: 'write',
  bodyType: 'multipart/form-data',
  bodyLimit: largestForm,
  alsoJson: true,
  body: FileCreate,
  reply: [201, record(ProductFile)],
  errors: ['rest_not_found', 'rest_invalid_param', 'rest_payload_too_large'],
}).handle(async ({ body, db, files, now }) => {
  const { file: sent, product_id, content_id } = body;
  const refusal = sent && sizeOfFormRefusal(sent);
  if (refusal) return refusal;
  const bytes = sent && new Uint8Array(await sent.arrayBuffer());
  const sha256 = bytes && encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const name = body.name ?? (plainName(sent?.name ?? '').slice(0, 255) || 'file');
  return db.change({
    load: {
      id: drawId('files'),
      product: findProduct(product_id),
      content: sendIf(content_id !== undefined, () => findContent(content_id ?? 0)),
    },
    decide: ({ id, product: [product], content: [content] }) => {
      const begun = newFile({ ...body, name }, nextId(id), now);
      const refused = attachmentRefusal(begun, product, content);
      if (refused) return refused;
      const upload = { id: '', parts: {} };
      const row = sha256 === undefined ? { ...begun, upload } : readyFile(begun, sha256);
      return {
        first: async () => {
          if (bytes) return files.put(row.key, bytes, row.type);
          // The statement is built before, but reads the id only when it is sent.
          upload.id = await files.begin(row.key, row.type);
        },
        write: [insertFile(row)],
        reply: one(toProductFile(row)),
      };
    },
  });
});
