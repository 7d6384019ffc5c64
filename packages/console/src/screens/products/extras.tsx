import type { CommissionTier, ProductAffiliate, ProductSubscription } from '../../api/generated.ts';
import { Marked } from '../../parts/draft-form.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Items } from '../../parts/items.tsx';
import {
  AmountField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type FormPart, changedAt, without } from './values.ts';
import { texts } from './texts.ts';

export function Subscription({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { subscription } = values;
  const change = (changes: Partial<ProductSubscription>) =>
    edit({ subscription: { ...subscription, ...changes } });
  const partOf = <K extends 'regular' | 'tryout' | 'signup'>(name: K) => ({
    of: subscription[name],
    edit: (changes: object) => change({ [name]: { ...subscription[name], ...changes } }),
    words: t[name],
    path: `subscription.${name}.`,
  });
  const [regular, tryout, signup] = [partOf('regular'), partOf('tryout'), partOf('signup')];
  const whole = { of: subscription, edit: change, words: t.subscription, path: 'subscription.' };
  const periods = Object.entries(t.periods);
  return (
    <Fold
      title={t.sections.subscription}
      state={subscription.active ? t.on : t.off}
      open={subscription.active}
    >
      <Marked name="subscription">
        <div className="fold-part">
          <SwitchField {...whole} name="active" />
          {subscription.active && (
            <>
              <div className="fields">
                <NumberField {...regular} name="duration" required min={1} max={1200} />
                <SelectField {...regular} name="period" options={periods} />
                <AmountField {...regular} name="price" required />
                <NumberField {...whole} name="max_renewal" required max={1200} />
                <NumberField {...whole} name="payments" min={2} max={1200} />
              </div>
              {subscription.payments !== null && (
                <div className="fields">
                  <SelectField {...whole} name="after" options={Object.entries(t.after)} />
                  <NumberField {...whole} name="grace_days" required max={365} />
                </div>
              )}
              <SwitchField {...tryout} name="active" />
              {tryout.of.active && (
                <div className="fields">
                  <NumberField {...tryout} name="duration" required min={1} max={1200} />
                  <SelectField {...tryout} name="period" options={periods} />
                  <SwitchField {...tryout} name="first_only" />
                </div>
              )}
              <SwitchField {...signup} name="active" />
              {signup.of.active && <AmountField {...signup} name="fee" required />}
            </>
          )}
        </div>
      </Marked>
    </Fold>
  );
}

export function License({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const part = {
    of: values.license,
    edit: (changes: object) => edit({ license: { ...values.license, ...changes } }),
    words: t.license,
    path: 'license.',
  };
  const { active } = values.license;
  return (
    <Fold title={t.sections.license} state={active ? t.on : t.off} open={active}>
      <Marked name="license">
        <div className="fold-part">
          <SwitchField {...part} name="active" />
          {active && (
            <div className="fields">
              <NumberField {...part} name="count" required max={1_000_000} />
              <NumberField {...part} name="expires_days" required max={36_500} />
              <NumberField {...part} name="max_resets" required max={1000} />
            </div>
          )}
        </div>
      </Marked>
    </Fold>
  );
}

export function Affiliate({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { affiliate } = values;
  const { enabled, tiers } = affiliate;
  const change = (changes: Partial<ProductAffiliate>) =>
    edit({ affiliate: { ...affiliate, ...changes } });
  const part = { of: affiliate, edit: change, words: t.affiliate, path: 'affiliate.' };
  const put = (next: readonly CommissionTier[]) => change({ tiers: next });
  const paysNothing = tiers.every(({ fee }) => fee === 0);
  const next = Math.max(0, ...tiers.map(({ tier }) => tier)) + 1;
  return (
    <Fold
      title={t.sections.affiliate}
      state={enabled ? (paysNothing ? t.noCommission : t.tiersCount(tiers.length)) : t.off}
      open={enabled}
    >
      <Marked name="affiliate">
        <div className="fold-part">
          <SwitchField {...part} name="enabled" />
          {enabled && (
            <>
              {paysNothing && <p className="hint">{t.affiliate.paysNothing}</p>}
              <SwitchField {...part} name="require_purchase" />
              <div className="fields">
                <NumberField {...part} name="hold_days" required max={365} />
                <TextField {...part} name="landing_page" type="url" />
              </div>
              <Items
                items={tiers}
                keyOf={({ tier }) => tier}
                nameOf={({ tier }) => t.affiliate.tierOf(tier)}
                onRemove={(at) => put(without(tiers, at))}
                onAdd={() => put([...tiers, { tier: next, fee: 0, type: 'percentage' }])}
                addName={t.affiliate.addTier}
                most={20}
              >
                {(tier, at) => (
                  <Tier
                    of={tier}
                    path={`affiliate.tiers.${at}.`}
                    edit={(changes) => put(changedAt(tiers, at, changes))}
                  />
                )}
              </Items>
            </>
          )}
        </div>
      </Marked>
    </Fold>
  );
}

interface TierProps {
  readonly of: CommissionTier;
  readonly path: string;
  readonly edit: (changes: Partial<CommissionTier>) => void;
}

function Tier({ of, path, edit }: TierProps) {
  const t = useTexts(texts);
  const part = { of, path, edit, words: t.tier };
  return (
    <>
      <p>
        {t.affiliate.tierOf(of.tier)}{' '}
        <span className="faint">· {t.affiliate.tierHint(of.tier)}</span>
      </p>
      <div className="fields">
        {of.type === 'percentage' ? (
          <NumberField {...part} name="fee" required max={100} step={0.0001} />
        ) : (
          <AmountField {...part} name="fee" required />
        )}
        <SelectField {...part} name="type" options={Object.entries(t.rates)} />
      </div>
    </>
  );
}
