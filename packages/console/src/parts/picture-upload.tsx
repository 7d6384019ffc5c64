import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { api } from '../api/client.ts';
import { Button } from './button.tsx';
import { ErrorView } from './error-view.tsx';

interface PictureUploadProps {
  /** The address of the picture; empty = none. */
  readonly url: string;
  readonly onChange: (url: string) => void;
  readonly words: Readonly<Record<'upload' | 'hint' | 'alt' | 'elsewhere' | 'remove', string>>;
  /** The field of the address. */
  readonly children: ReactNode;
}

/** Tells if the console may show an address: a foreign picture would tell its host who is looking. */
export const isOurs = (url: string) => URL.canParse(url) && new URL(url).origin === location.origin;

export function PictureUpload({ url, onChange, words, children }: PictureUploadProps) {
  const id = useId();
  const upload = useMutation({
    mutationFn: async (file: File) => (await api.media.upload({ file })).data.url,
    onSuccess: onChange,
  });
  return (
    <div className="picture">
      {isOurs(url) && <img src={url} alt={words.alt} />}
      <div className="field">
        <label className="label" htmlFor={id}>
          {words.upload}
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
          {words.hint}
        </p>
        {upload.error && <ErrorView error={upload.error} />}
      </div>
      {children}
      {url !== '' && (
        <div className="row">
          {!isOurs(url) && (
            <a href={url} target="_blank" rel="noreferrer">
              {words.elsewhere}
            </a>
          )}
          <Button look="quiet" onClick={() => onChange('')}>
            {words.remove}
          </Button>
        </div>
      )}
    </div>
  );
}
