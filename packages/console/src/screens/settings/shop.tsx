import { DraftField, DraftForm, Marked } from '../../parts/draft-form.tsx';
import { TextArea, TextInput } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { PictureUpload } from '../../parts/picture-upload.tsx';
import { useTexts } from '../../texts/texts.ts';
import { SelectSetting, TextSetting } from './fields.tsx';
import { type SettingsDraft, type SettingsPart, useSettings } from './setup.ts';
import { ShopPreview } from './shop-preview.tsx';
import { shopTexts } from './shop-texts.ts';
import { texts } from './texts.ts';

export function Shop({ setup }: SettingsPart) {
  const t = useTexts(texts);
  const own = useTexts(shopTexts);
  const { draft, form } = useSettings('shop', setup);
  const demands = (['required', 'optional', 'off'] as const).map(
    (demand) => [demand, own.demands[demand]] as const,
  );
  return (
    <div className="beside">
      <DraftForm {...form}>
        <Section title={t.sections.look}>
          <TextSetting draft={draft} name="store_name" required maxLength={200} />
          <Marked name="shop_logo_url">
            <PictureUpload
              url={draft.values.shop_logo_url}
              onChange={(shop_logo_url) => draft.edit({ shop_logo_url })}
              words={own.logo}
            >
              <TextSetting draft={draft} name="shop_logo_url" type="url" />
            </PictureUpload>
          </Marked>
          <Colour draft={draft} />
        </Section>
        <Section title={t.sections.links}>
          <div className="fields">
            <TextSetting draft={draft} name="shop_contact_url" />
            <TextSetting draft={draft} name="shop_terms_url" type="url" />
            <TextSetting draft={draft} name="shop_privacy_url" type="url" />
            <TextSetting draft={draft} name="shop_imprint_url" type="url" />
          </div>
        </Section>
        <Section title={t.sections.checkout}>
          <div className="fields">
            <SelectSetting draft={draft} name="shop_phone" options={demands} />
            <SelectSetting draft={draft} name="shop_postal_code" options={demands} />
          </div>
        </Section>
        <Section title={t.sections.frames}>
          <DraftField
            name="shop_frame_sites"
            label={own.sites.label}
            hint={own.sites.hint}
            required={false}
          >
            <TextArea
              spellCheck={false}
              value={draft.values.shop_frame_sites.join('\n')}
              onChange={({ target }) =>
                draft.edit({ shop_frame_sites: target.value ? target.value.split('\n') : [] })
              }
            />
          </DraftField>
        </Section>
      </DraftForm>
      <ShopPreview values={draft.values} />
    </div>
  );
}

function Colour({ draft: { values, edit } }: { readonly draft: SettingsDraft }) {
  const { color } = useTexts(shopTexts);
  return (
    <div className="colour">
      <DraftField name="shop_color" label={color.label} hint={color.hint} required={false}>
        <TextInput
          className="short"
          placeholder="#1f6feb"
          pattern="#[0-9a-f]{6}"
          value={values.shop_color}
          onChange={({ target }) => edit({ shop_color: target.value.trim().toLowerCase() })}
        />
      </DraftField>
      <input
        type="color"
        aria-label={color.pick}
        value={/^#[0-9a-f]{6}$/.test(values.shop_color) ? values.shop_color : '#17655b'}
        onChange={({ target }) => edit({ shop_color: target.value })}
      />
    </div>
  );
}
