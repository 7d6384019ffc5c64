import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Product, ProductFile } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { uploadFile } from '../../api/upload.ts';
import { useMay } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Select } from '../../parts/select.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { type AboutFile, FileFields } from './file-fields.tsx';
import { texts } from './texts.ts';

interface OfProduct {
  readonly product: Product;
}

/** The files that buyers of a product download. Each change takes effect at once. */
export function Files({ product }: OfProduct) {
  const t = useTexts(texts).files;
  const may = useMay();
  const list = useList('files', { product_id: product.id, per_page: 100 }, api.files.list);
  const files = list.data?.data ?? [];
  return (
    <Fold title={t.title} state={files.length > 0 ? t.count(files.length) : t.none} open>
      {list.error && <ErrorView error={list.error} onRetry={() => void list.refetch()} />}
      {files.length > 0 && (
        <ul className="items">
          {files.map((file) => (
            <li key={file.id}>
              <OneFile file={file} product={product} />
            </li>
          ))}
        </ul>
      )}
      {may('files:write') && <Upload product={product} />}
    </Fold>
  );
}

const forget = (client: ReturnType<typeof useQueryClient>) =>
  client.invalidateQueries({ queryKey: ['files'] });

function OneFile({ file, product }: OfProduct & { readonly file: ProductFile }) {
  const t = useTexts(texts).files;
  const may = useMay();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const options = product.variants.flatMap((group) => group.options);
  const change = useMutation({
    mutationFn: (option_id: string) =>
      api.files.update(file, { option_id: option_id === '' ? null : option_id }),
    onSettled: () => forget(client),
  });
  const remove = useMutation({
    mutationFn: () => api.files.delete(file),
    onSuccess: () => {
      setAsking(false);
      return forget(client);
    },
  });
  return (
    <>
      <p className="file-name">
        {file.name} <span className="faint">{t.facts(file)}</span>
      </p>
      {options.length > 0 && (
        <Select
          label={t.opensFor(file.name)}
          value={file.option_id ?? ''}
          options={[['', t.everybody], ...options.map(({ id, label }) => [id, label] as const)]}
          disabled={!may('files:write')}
          onChange={(option) => change.mutate(option)}
        />
      )}
      {change.error && <ErrorView error={change.error} />}
      <div className="row">
        {may('files:write') && (
          <Button look="quiet" onClick={() => setEditing(true)}>
            {t.edit(file.name)}
          </Button>
        )}
        {may('files:delete') && (
          <Button look="quiet" onClick={() => setAsking(true)}>
            {t.remove(file.name)}
          </Button>
        )}
      </div>
      {isEditing && <Edit file={file} product={product} onClose={() => setEditing(false)} />}
      {isAsking && (
        <Dialog title={t.remove(file.name)} text={t.removeText} onClose={() => setAsking(false)}>
          <ActionForm
            action={remove}
            verb={t.removeIt}
            look="danger"
            onSubmit={() => remove.mutate()}
            onCancel={() => setAsking(false)}
          />
        </Dialog>
      )}
    </>
  );
}

interface EditProps extends OfProduct {
  readonly file: ProductFile;
  readonly onClose: () => void;
}

function Edit({ file, product, onClose }: EditProps) {
  const t = useTexts(texts).files;
  const { save: verb } = useTexts(common).actions;
  const client = useQueryClient();
  const { release, position, content_id } = file;
  const [about, setAbout] = useState<AboutFile>({ release, position, content_id });
  const save = useMutation({
    mutationFn: () => api.files.update(file, about),
    onSuccess: () => {
      onClose();
      return forget(client);
    },
  });
  return (
    <Dialog title={t.edit(file.name)} onClose={onClose}>
      <ActionForm action={save} verb={verb} onSubmit={() => save.mutate()} onCancel={onClose}>
        <FileFields product={product} about={about} error={save.error} onChange={setAbout} />
      </ActionForm>
    </Dialog>
  );
}

function Upload({ product }: OfProduct) {
  const t = useTexts(texts).files;
  const id = useId();
  const client = useQueryClient();
  const [share, setShare] = useState(0);
  const [about, setAbout] = useState<AboutFile>({ release: '', position: 0, content_id: null });
  const upload = useMutation({
    mutationFn: (file: File) => {
      const { content_id, ...rest } = about;
      return uploadFile(
        product.id,
        file,
        { ...rest, ...(content_id !== null && { content_id }) },
        setShare,
      );
    },
    onMutate: () => setShare(0),
    onSettled: () => forget(client),
  });
  return (
    <>
      <FileFields product={product} about={about} error={upload.error} onChange={setAbout} />
      <div className="field">
        <label className="label" htmlFor={id}>
          {t.upload}
        </label>
        <input
          id={id}
          type="file"
          className="input"
          aria-describedby={`${id}-hint`}
          disabled={upload.isPending}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) upload.mutate(file, { onSettled: () => (target.value = '') });
          }}
        />
        <p className="hint" id={`${id}-hint`}>
          {t.hint}
        </p>
        {upload.isPending && <progress aria-label={t.progress} value={share} max={1} />}
        {upload.error && <ErrorView error={upload.error} />}
      </div>
    </>
  );
}
