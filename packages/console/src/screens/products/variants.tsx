import type { VariantGroup, VariantOption } from '../../api/generated.ts';
import { Marked } from '../../parts/draft-form.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Items } from '../../parts/items.tsx';
import { AmountField, NumberField, SwitchField, TextField } from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type FormPart, changedAt, newId, without } from './values.ts';
import { texts } from './texts.ts';

const optionIds = (groups: readonly VariantGroup[]) =>
  groups.flatMap(({ options }) => options.map(({ id }) => id));

function newOption(groups: readonly VariantGroup[]): VariantOption {
  const id = newId('option', optionIds(groups));
  return {
    ...{ id, key: id, label: '', extra_price: 0, extra_weight: 0, sku: '', stock: null },
    active: true,
  };
}

function newGroup(groups: readonly VariantGroup[]): VariantGroup {
  const id = newId(
    'choice',
    groups.map((group) => group.id),
  );
  return { id, key: id, label: '', required: true, options: [newOption(groups)] };
}

export function Variants({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { variants } = values;
  const put = (groups: readonly VariantGroup[]) => edit({ variants: groups });
  const count = optionIds(variants).length;
  return (
    <Fold
      title={t.sections.variants}
      state={count === 0 ? t.off : t.options(count)}
      open={count > 0}
    >
      <Marked name="variants">
        <div className="fold-part">
          <p className="hint">{t.variants.text}</p>
          <Items
            items={variants}
            keyOf={({ id }) => id}
            nameOf={({ label }, at) => t.variants.groupOf(label || `${at + 1}`)}
            onRemove={(at) => put(without(variants, at))}
            onAdd={() => put([...variants, newGroup(variants)])}
            addName={t.variants.addGroup}
            most={20}
          >
            {(group, at) => (
              <Group
                group={group}
                path={`variants.${at}.`}
                edit={(changes) => put(changedAt(variants, at, changes))}
                newOption={() => newOption(variants)}
              />
            )}
          </Items>
        </div>
      </Marked>
    </Fold>
  );
}

interface GroupProps {
  readonly group: VariantGroup;
  readonly path: string;
  readonly edit: (changes: Partial<VariantGroup>) => void;
  readonly newOption: () => VariantOption;
}

function Group({ group, path, edit, newOption: makeOption }: GroupProps) {
  const t = useTexts(texts);
  const { options } = group;
  const put = (next: readonly VariantOption[]) => edit({ options: next });
  const part = { of: group, edit, words: t.group, path };
  return (
    <>
      <TextField {...part} name="label" required maxLength={200} />
      <SwitchField {...part} name="required" />
      <Items
        items={options}
        keyOf={({ id }) => id}
        nameOf={({ label }, at) => t.variants.optionOf(label || `${at + 1}`)}
        onRemove={(at) => put(without(options, at))}
        onAdd={() => put([...options, makeOption()])}
        addName={t.variants.addOption}
        most={100}
      >
        {(option, at) => (
          <Option
            of={option}
            words={t.option}
            path={`${path}options.${at}.`}
            edit={(changes) => put(changedAt(options, at, changes))}
          />
        )}
      </Items>
    </>
  );
}

interface OptionProps {
  readonly of: VariantOption;
  readonly edit: (changes: Partial<VariantOption>) => void;
  readonly words: (typeof texts)['en']['option'];
  readonly path: string;
}

const Option = (part: OptionProps) => (
  <>
    <div className="fields">
      <TextField {...part} name="label" required maxLength={200} />
      <AmountField {...part} name="extra_price" required signed />
      <NumberField {...part} name="stock" />
      <TextField {...part} name="sku" maxLength={200} />
      <NumberField {...part} name="extra_weight" required min={-1_000_000} max={1_000_000} />
    </div>
    <SwitchField {...part} name="active" />
  </>
);
