import { type FileRow, files, plainName } from '../../../../src/exports/store.ts';
import { type NewRow, insertInto } from '../mapped.ts';
import { decoded } from '../slugs.ts';
import { asArray, asText, phpArray } from '../values.ts';

export type FileEntry = NonNullable<ReturnType<typeof asArray>>;

interface ShopFile {
  readonly name: string;
  readonly url: string;
  readonly option_id: string | null;
}

/** Reads a plugin's list of files. @param optionOf the variant option that opens a file */
export const filesIn = (
  list: string | null | undefined,
  optionOf: (file: FileEntry) => string | null,
): ShopFile[] =>
  Object.values(phpArray(list ?? null) ?? {}).flatMap((value) => {
    const file = asArray(value);
    return file
      ? [
          {
            name: asText(file['name']),
            url: asText(file['file']).trim(),
            option_id: optionOf(file),
          },
        ]
      : [];
  });

const isAddress = ({ url }: ShopFile) =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= 2000;

/** The name of a file: the shop's name with the extension of its address, or the last part of the address. */
function nameOf({ name, url }: ShopFile): string {
  const last = plainName(decoded(new URL(url).pathname));
  const given = plainName(name);
  const ending = /\.[a-z0-9]{1,8}$/i.exec(last)?.[0] ?? '';
  const isWhole = given === '' || given.toLowerCase().endsWith(ending.toLowerCase());
  return (isWhole ? given : given + ending).slice(0, 255) || last.slice(0, 255) || 'file';
}

/** `isWhole` is true if each file has a valid address. */
interface ImportedFiles {
  readonly rows: readonly NewRow<typeof files>[];
  readonly isWhole: boolean;
}

/** Numbers the files of all products, so that they have the same ids in every run. */
export function fileImporter() {
  let id = 0;
  return (product_id: number, at: string, list: readonly ShopFile[]): ImportedFiles => {
    const found = list.filter(isAddress);
    const rows = found.map((file, position) => {
      const row: Omit<FileRow, 'version'> = {
        id: ++id,
        product_id,
        option_id: file.option_id,
        content_id: null,
        name: nameOf(file),
        release: '',
        position,
        type: 'application/octet-stream',
        size: null,
        sha256: null,
        status: 'imported',
        key: `files/imported/${id}`,
        upload: null,
        source_url: file.url,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      };
      return insertInto(files, row);
    });
    return { rows, isWhole: found.length === list.length };
  };
}
