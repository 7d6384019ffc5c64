import type { PaidOrderStatus } from '../../api/generated.ts';
import { Choice } from '../../parts/choice.tsx';
import { DraftForm, Marked } from '../../parts/draft-form.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { Section } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { NumberSetting, SelectSetting, SwitchSetting } from './fields.tsx';
import { type SettingsPart, useSettings } from './setup.ts';
import { texts } from './texts.ts';

/** Statuses that give access by a setting; a completed order always does. */
const optional: readonly PaidOrderStatus[] = ['in-progress', 'shipping'];

export function Selling({ setup }: SettingsPart) {
  const t = useTexts(texts);
  const { draft, form } = useSettings('selling', setup);
  const { values, edit } = draft;
  const names = useTexts(orderStatuses);
  const { statuses } = t.affiliateCoupons;
  return (
    <DraftForm {...form}>
      <Section title={t.sections.access}>
        <Marked name="access_statuses">
          <fieldset className="scopes">
            <legend>{t.fields.access_statuses.label}</legend>
            <div>
              {optional.map((status) => (
                <Choice
                  key={status}
                  name={names[status]}
                  checked={values.access_statuses.includes(status)}
                  onChange={(isChosen) =>
                    edit({ access_statuses: toggled(values.access_statuses, status, isChosen) })
                  }
                />
              ))}
            </div>
            <p className="hint">{t.fields.access_statuses.hint}</p>
          </fieldset>
        </Marked>
      </Section>
      <Section title={t.sections.subscriptions}>
        <SwitchSetting draft={draft} name="members_cancel" />
      </Section>
      <Section title={t.sections.taxes}>
        <p className="hint">{t.taxes}</p>
      </Section>
      <Section title={t.sections.affiliates}>
        <SwitchSetting draft={draft} name="affiliate_sign_up" />
        <SwitchSetting draft={draft} name="permanent_affiliate" />
        <div className="fields">
          <NumberSetting draft={draft} name="affiliate_link_days" min={1} max={3650} />
          <NumberSetting draft={draft} name="velocity_orders" min={0} max={20} />
          <NumberSetting draft={draft} name="velocity_hours" min={1} max={720} />
          <SelectSetting
            draft={draft}
            name="affiliate_coupon_status"
            options={[
              ['need-approve', statuses['need-approve']],
              ['active', statuses.active],
            ]}
          />
        </div>
        <p className="hint">{t.holds}</p>
      </Section>
      <Section title={t.sections.limits}>
        <p className="hint">{t.limits}</p>
        <div className="fields">
          <NumberSetting draft={draft} name="shop_unpaid_orders" min={1} max={100} />
          <NumberSetting draft={draft} name="shop_hourly_orders" min={1} max={10_000} />
          <NumberSetting draft={draft} name="shop_hold_hours" min={1} max={720} />
          <NumberSetting draft={draft} name="shop_receipt_days" min={0} max={365} />
        </div>
      </Section>
    </DraftForm>
  );
}

/** The statuses with one added or removed, in the order of an order's life. */
const toggled = (
  chosen: readonly PaidOrderStatus[],
  status: PaidOrderStatus,
  isChosen: boolean,
): readonly PaidOrderStatus[] =>
  [...optional, 'completed' as const].filter((each) =>
    each === status ? isChosen : chosen.includes(each),
  );
