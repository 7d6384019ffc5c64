import { DraftField, DraftForm, Marked } from '../../parts/draft-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Section } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Accounts } from './accounts.tsx';
import { AmountSetting, NumberInput, NumberSetting, SwitchSetting } from './fields.tsx';
import { type SettingsDraft, type SettingsPart, useSettings } from './setup.ts';
import { texts } from './texts.ts';
import { WaysToPay } from './ways.tsx';

export function Payments({ setup }: SettingsPart) {
  const t = useTexts(texts);
  const { draft, form } = useSettings('payments', setup);
  return (
    <>
      <WaysToPay setup={setup} />
      <DraftForm {...form}>
        <Section title={t.sections.accounts}>
          <p className="hint">{t.accounts.lead}</p>
          <Accounts
            accounts={draft.values.manual_accounts}
            onChange={(manual_accounts) => draft.edit({ manual_accounts })}
          />
        </Section>
        <Section title={t.sections.transfers}>
          <UniqueCode draft={draft} />
          <div className="fields">
            <NumberSetting draft={draft} name="auto_cancel_days" min={0} max={365} />
            <NumberSetting draft={draft} name="transfer_hold_days" min={0} max={365} />
          </div>
        </Section>
        <Section title={t.sections.refunds}>
          <SwitchSetting draft={draft} name="restock_on_refund" />
          <div className="fields">
            <AmountSetting draft={draft} name="refund_sign_in_above" />
          </div>
        </Section>
      </DraftForm>
    </>
  );
}

function UniqueCode({ draft: { values, edit } }: { readonly draft: SettingsDraft }) {
  const t = useTexts(texts).fields.unique_code;
  const { unique_code: code } = values;
  const change = (changes: Partial<typeof code>) => edit({ unique_code: { ...code, ...changes } });
  return (
    <>
      <Marked name="unique_code">
        <Choice
          name={t.label}
          hint={t.hint}
          checked={code.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </Marked>
      {code.enabled && (
        <div className="fields">
          <DraftField name="unique_code.operation" label={t.operation}>
            <Select
              value={code.operation}
              options={[
                ['added', t.operations.added],
                ['reduced', t.operations.reduced],
              ]}
              onChange={(operation) => change({ operation })}
            />
          </DraftField>
          <DraftField name="unique_code.largest" label={t.largest} hint={t.largestHint}>
            <NumberInput
              min={999}
              max={9999}
              value={code.largest}
              onChange={(largest) => change({ largest })}
            />
          </DraftField>
        </div>
      )}
    </>
  );
}
