import * as z from 'zod';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId, queryInteger, PathId } from '../../kernel/schemas/parameters.ts';
import { Id, changeFields, textUpTo } from '../../lib/schemas.ts';
import { fileStatuses } from '../../schema/files.ts';
import { plainName } from './names.ts';

/** Bytes. */
export const largestFormFile = 25 * 1_048_576;

/** Bytes of a form with a file and a few fields. */
export const largestForm = largestFormFile + 65_536;

/** Bytes of each part but the last. */
export const partSize = 50_000_000;

export const mostParts = 100;

/** Bytes. */
export const largestFile = partSize * mostParts;

const whole = (min: number, max: number) =>
  z
    .union([z.int().min(min).max(max), queryInteger({ min, max })], {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .meta({ type: 'integer', minimum: min, maximum: max });

const name = textUpTo(255)
  .overwrite(plainName)
  .min(1)
  .describe('The name under which it is saved. Folders in it are removed.')
  .meta({ examples: ['workbook.pdf'] });

const numbersBy = (number: (min: number, max: number) => z.ZodType<number>) => ({
  position: number(0, 1_000_000)
    .describe('Place among the files of the product, lowest first.')
    .meta({ examples: [1] }),
  size: number(1, largestFile)
    .describe('Size in bytes. Starts an upload in parts.')
    .meta({ examples: [120_000_000] }),
  content_id: number(1, 999_999_999_999_999)
    .describe('Id of protected content of this product: the file opens when the content does.')
    .meta({ examples: [2] }),
});

const inForms = numbersBy(whole);
const inJson = numbersBy((min, max) => z.int().min(min).max(max));

const texts = {
  name,
  release: textUpTo(100)
    .describe('The version of its content, such as `2.4.1`; empty if it has none.')
    .meta({ examples: ['2.4.1'] }),
  option_id: textUpTo(100)
    .min(1)
    .describe('Id of a variant option: only orders with it open the file.')
    .meta({ examples: ['workbook'] }),
};

export const FileCreate = z
  .strictObject({
    file: z.file().optional().describe('The file itself, of at most 25 MiB; only in a form.'),
    product_id: whole(1, 999_999_999_999_999),
    type: textUpTo(255)
      .optional()
      .describe('Media type, if the file itself does not state it.')
      .meta({ examples: ['video/mp4'] }),
    ...z.object({ ...texts, ...inForms }).partial().shape,
  })
  .refine(
    ({ file, name, size }) => file !== undefined || (name !== undefined && size !== undefined),
    {
      path: ['file'],
      message: 'is required in a form; in JSON send name and size',
    },
  )
  .refine(({ file, size }) => file === undefined || size === undefined, {
    path: ['size'],
    message: 'must be left out if the form has the file',
  })
  .meta({
    id: 'FileCreate',
    examples: [{ product_id: 1, name: 'course.mp4', size: 120_000_000 }],
  });
export type FileCreate = z.output<typeof FileCreate>;

export const FileUpdate = z
  .object({
    ...{ ...texts, ...inJson },
    option_id: texts.option_id.nullable(),
    content_id: inJson.content_id.nullable(),
  })
  .partial()
  .meta({ id: 'FileUpdate', examples: [{ position: 2 }] });
export type FileUpdate = z.output<typeof FileUpdate>;

export const FileQuery = z.object({
  ...pageParameters,
  product_id: queryId.optional(),
  content_id: queryId.optional(),
  status: z.enum(fileStatuses).optional(),
});
export type FileQuery = z.output<typeof FileQuery>;

const shown = {
  id: Id,
  name: z.string().meta({ examples: ['workbook.pdf'] }),
  release: z
    .string()
    .describe('The version of its content; empty if it has none.')
    .meta({ examples: ['2.4.1'] }),
  type: z
    .string()
    .describe('Media type.')
    .meta({ examples: ['application/pdf'] }),
};

const sha256 = z
  .string()
  .describe('SHA-256 of its bytes, in hexadecimal.')
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

/** A file as the seller sees it. */
export const ProductFile = z
  .object({
    ...shown,
    product_id: Id,
    option_id: z.string().nullable().describe('Only orders with this variant option open it.'),
    content_id: Id.nullable().describe('The file opens when this protected content does.'),
    position: z.int().meta({ examples: [1] }),
    size: z
      .int()
      .nullable()
      .describe('In bytes; null until it is known.')
      .meta({ examples: [482_113] }),
    sha256: sha256.nullable(),
    status: z
      .enum(fileStatuses)
      .describe(
        '`ready`: people can download it. `uploading`: parts are missing. `imported`: its content is still at `source_url`.',
      ),
    upload: z
      .object({
        part_size: z
          .int()
          .describe('Bytes of each part but the last.')
          .meta({ examples: [partSize] }),
        parts: z.int().meta({ examples: [3] }),
        uploaded: z
          .array(z.int())
          .describe('Numbers of the parts that have arrived.')
          .meta({ examples: [[1, 2]] }),
      })
      .nullable()
      .describe('The unfinished upload in parts; null if there is none.'),
    source_url: z
      .string()
      .nullable()
      .describe('The address at which an import found the file.')
      .meta({ examples: ['https://old-shop.example/files/workbook.pdf'] }),
    ...changeFields,
  })
  .meta({ id: 'ProductFile' });
export type ProductFile = z.output<typeof ProductFile>;

/** A file as its downloader sees it. */
export const OwnFile = z
  .object({
    ...shown,
    size: z
      .int()
      .describe('In bytes.')
      .meta({ examples: [482_113] }),
    sha256,
    download_url: z
      .url()
      .describe('A download must begin within 15 minutes, and can be resumed for 24 hours.')
      .meta({ examples: ['https://shop.example/download/eyJhbGciOiJFZERTQSJ9.e30.c2ln'] }),
  })
  .meta({ id: 'OwnFile' });
export type OwnFile = z.output<typeof OwnFile>;

export const PartParams = z.object({
  id: PathId,
  part: z
    .string()
    .transform(Number)
    .pipe(z.int().min(1).max(mostParts))
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: mostParts,
      description: 'Number of the part, from 1 on.',
      examples: [1],
    }),
});

export const AccessParams = z.object({ product_id: PathId });

export const DownloadParams = z.object({
  token: textUpTo(2048)
    .describe('The time at which the `download_url` ends.')
    .meta({
      examples: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln'],
    }),
});
