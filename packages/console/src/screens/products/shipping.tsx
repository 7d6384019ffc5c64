import type { ProductShipping, ShippingOption } from '../../api/generated.ts';
import { Marked } from '../../parts/draft-form.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Items } from '../../parts/items.tsx';
import { AmountField, NumberField, SwitchField, TextField } from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type FormPart, changedAt, newShippingOption, without } from './values.ts';
import { texts } from './texts.ts';

export function Shipping({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { shipping, cod } = values;
  const { options } = shipping;
  const change = (changes: Partial<ProductShipping>) =>
    edit({ shipping: { ...shipping, ...changes } });
  const part = { of: shipping, edit: change, words: t.shipping, path: 'shipping.' };
  const payment = {
    of: cod,
    edit: (changes: object) => edit({ cod: { ...cod, ...changes } }),
    words: t.cod,
    path: 'cod.',
  };
  return (
    <Fold
      title={t.sections.shipping}
      state={shipping.active ? t.options(options.length) : t.off}
      open={shipping.active}
    >
      <Marked name="shipping">
        <div className="fold-part">
          <SwitchField {...part} name="active" />
          {shipping.active && (
            <>
              <SwitchField {...part} name="free" />
              <div className="fields">
                <NumberField {...part} name="weight_g" required max={1_000_000} />
              </div>
              <Items
                items={options}
                keyOf={({ id }) => id}
                nameOf={({ courier }, at) => t.shipping.optionOf(courier || `${at + 1}`)}
                onRemove={(at) => change({ options: without(options, at) })}
                onAdd={() => change({ options: [...options, newShippingOption(options)] })}
                addName={t.shipping.add}
                most={50}
              >
                {(option, at) => (
                  <Option
                    of={option}
                    words={t.shippingOption}
                    path={`shipping.options.${at}.`}
                    edit={(changes) => change({ options: changedAt(options, at, changes) })}
                  />
                )}
              </Items>
            </>
          )}
        </div>
      </Marked>
      {shipping.active && (
        <Marked name="cod">
          <div className="fields">
            <SwitchField {...payment} name="active" />
            {cod.active && <AmountField {...payment} name="fee" required />}
          </div>
        </Marked>
      )}
    </Fold>
  );
}

interface OptionProps {
  readonly of: ShippingOption;
  readonly edit: (changes: Partial<ShippingOption>) => void;
  readonly words: (typeof texts)['en']['shippingOption'];
  readonly path: string;
}

const Option = (part: OptionProps) => (
  <>
    <div className="fields">
      <TextField {...part} name="courier" required maxLength={200} />
      <TextField {...part} name="service" maxLength={200} />
      <TextField {...part} name="label" maxLength={200} />
      <AmountField {...part} name="cost" required />
      <AmountField {...part} name="per_kg" required />
      <AmountField {...part} name="free_above" />
      <NumberField {...part} name="etd_days_min" required max={365} />
      <NumberField {...part} name="etd_days_max" required max={365} />
    </div>
    <SwitchField {...part} name="cod" />
  </>
);
