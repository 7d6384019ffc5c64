import { usePreferences } from '../../context/preferences.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { languages, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function Looks() {
  const t = useTexts(texts);
  const { preferences, set } = usePreferences();
  return (
    <Section title={t.sections.looks}>
      <div className="form record-form">
        <p className="hint">{t.looks.lead}</p>
        <div className="fields">
          <Field name="language" label={t.looks.language} hint={t.looks.languageHint} required>
            <Select
              value={preferences.language ?? 'account'}
              options={[['account', t.looks.asAccount], ...Object.entries(languages)]}
              onChange={(value) =>
                set({ language: value === 'en' || value === 'id' ? value : undefined })
              }
            />
          </Field>
          <Field name="theme" label={t.looks.theme} hint={t.looks.themeHint} required>
            <Select
              value={preferences.theme ?? 'system'}
              options={[
                ['system', t.looks.system],
                ['light', t.looks.light],
                ['dark', t.looks.dark],
              ]}
              onChange={(value) => set({ theme: value === 'system' ? undefined : value })}
            />
          </Field>
        </div>
        <Choice
          name={t.looks.keys}
          hint={t.looks.keysHint}
          checked={preferences.keys}
          onChange={(keys) => set({ keys })}
        />
      </div>
    </Section>
  );
}
