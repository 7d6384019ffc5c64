import { PictureUpload } from '../../parts/picture-upload.tsx';
import { TextField } from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import type { FormPart } from './values.ts';

export function Picture({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  return (
    <PictureUpload
      url={values.image_url}
      onChange={(image_url) => edit({ image_url })}
      words={t.picture}
    >
      <TextField of={values} edit={edit} words={t.fields} name="image_url" type="url" />
    </PictureUpload>
  );
}
