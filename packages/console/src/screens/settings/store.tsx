import { DraftForm } from '../../parts/draft-form.tsx';
import { Section } from '../../parts/page.tsx';
import { languages, useLocale, useTexts } from '../../texts/texts.ts';
import { DurationSetting, SelectSetting, TextSetting } from './fields.tsx';
import { countriesIn, currenciesIn, timeZones } from '../../lib/places.ts';
import { type SettingsPart, useSettings } from './setup.ts';
import { texts } from './texts.ts';

const languageNames = Object.entries(languages) as [keyof typeof languages, string][];

export function StoreSettings({ setup }: SettingsPart) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { draft, form } = useSettings('store', setup);
  const { settings, has_orders } = setup;
  const unset = settings.currency === null ? ([['', t.choose]] as const) : [];
  const fixed = has_orders ? t.fixed : undefined;
  return (
    <DraftForm {...form}>
      <Section title={t.sections.store}>
        <div className="fields">
          <TextSetting draft={draft} name="store_name" required maxLength={200} />
          <SelectSetting draft={draft} name="language" options={languageNames} />
          <SelectSetting
            draft={draft}
            name="currency"
            options={[...unset, ...currenciesIn(locale, settings.currency)]}
            disabled={has_orders && settings.currency !== null}
            hint={fixed}
          />
          <SelectSetting
            draft={draft}
            name="timezone"
            options={timeZones(settings.timezone)}
            disabled={has_orders}
            hint={fixed}
          />
          <SelectSetting
            draft={draft}
            name="country"
            options={[['', t.noCountry], ...countriesIn(locale)]}
          />
          <TextSetting draft={draft} name="invoice_prefix" maxLength={20} />
        </div>
      </Section>
      <Section title={t.sections.addresses}>
        <div className="fields">
          <TextSetting draft={draft} name="site_url" type="url" />
          <TextSetting draft={draft} name="notification_email" type="email" />
          <TextSetting draft={draft} name="notification_phone" type="tel" />
        </div>
      </Section>
      <Section title={t.sections.apps}>
        <div className="fields">
          <DurationSetting draft={draft} name="session_ttl" />
          <TextSetting draft={draft} name="platform_name" required maxLength={64} />
        </div>
      </Section>
    </DraftForm>
  );
}
