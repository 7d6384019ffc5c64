import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Product, ProductFile } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** The seller's details of a file. */
export type AboutFile = Pick<ProductFile, 'release' | 'position' | 'content_id'>;

interface FileFieldsProps {
  readonly product: Product;
  readonly about: AboutFile;
  readonly error: Error | null;
  readonly onChange: (about: AboutFile) => void;
}

export function FileFields({
  product: { id: product_id },
  about,
  error,
  onChange,
}: FileFieldsProps) {
  const t = useTexts(texts).files;
  const may = useMay();
  const { data: contents = [] } = useQuery({
    queryKey: ['content', 'list', 'newest'],
    queryFn: async ({ signal }) =>
      (await api.access.listContent({ per_page: 100 }, { signal })).data,
    enabled: may('access:read'),
  });
  const ofProduct = contents.filter(({ product_ids }) => product_ids.includes(product_id));
  return (
    <>
      <div className="fields">
        <Field name="release" label={t.release} hint={t.releaseHint} error={error}>
          <TextInput
            value={about.release}
            onChange={({ target }) => onChange({ ...about, release: target.value })}
          />
        </Field>
        <Field name="position" label={t.position} hint={t.positionHint} error={error} required>
          <TextInput
            type="number"
            className="short"
            min={0}
            required
            value={about.position}
            onChange={({ target }) => onChange({ ...about, position: Number(target.value) })}
          />
        </Field>
      </div>
      {ofProduct.length > 0 && (
        <Field name="content_id" label={t.content} hint={t.contentHint} error={error} required>
          <Select
            value={String(about.content_id ?? '')}
            options={[
              ['', t.noContent],
              ...ofProduct.map(({ id, title }) => [String(id), title] as const),
            ]}
            onChange={(id) => onChange({ ...about, content_id: id === '' ? null : Number(id) })}
          />
        </Field>
      )}
    </>
  );
}
