import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { TextField } from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import type { FormPart } from './values.ts';

/** Tells an address that the console may show: a picture from elsewhere would tell its host who looks. */
const isOurs = (url: string) => URL.canParse(url) && new URL(url).origin === location.origin;

/** The picture of a product: uploaded, or at an address of its own. */
export function Picture({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const id = useId();
  const { image_url: url } = values;
  const upload = useMutation({
    mutationFn: async (file: File) => (await api.media.upload({ file })).data.url,
    onSuccess: (uploaded) => edit({ image_url: uploaded }),
  });
  return (
    <div className="picture">
      {isOurs(url) && <img src={url} alt={t.picture.alt} />}
      <div className="field">
        <label className="label" htmlFor={id}>
          {t.picture.upload}
        </label>
        <input
          id={id}
          type="file"
          className="input"
          accept="image/jpeg,image/png,image/gif,image/webp"
          aria-describedby={`${id}-hint`}
          disabled={upload.isPending}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) upload.mutate(file);
          }}
        />
        <p className="hint" id={`${id}-hint`}>
          {t.picture.hint}
        </p>
        {upload.error && <ErrorView error={upload.error} />}
      </div>
      <TextField of={values} edit={edit} words={t.fields} name="image_url" type="url" />
      {url !== '' && (
        <div className="row">
          {!isOurs(url) && (
            <a href={url} target="_blank" rel="noreferrer">
              {t.picture.elsewhere}
            </a>
          )}
          <Button look="quiet" onClick={() => edit({ image_url: '' })}>
            {t.picture.remove}
          </Button>
        </div>
      )}
    </div>
  );
}
