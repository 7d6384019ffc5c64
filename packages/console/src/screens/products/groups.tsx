import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ProductGroup } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Choice } from '../../parts/choice.tsx';
import { DraftField, Marked } from '../../parts/draft-form.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Select } from '../../parts/select.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import type { FormPart } from './values.ts';
import { texts } from './texts.ts';

export function Groups({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { none } = useTexts(common);
  const may = useMay();
  const { data: groups = [] } = useQuery({
    queryKey: ['groups', 'list'],
    queryFn: async ({ signal }) => (await api.groups.list({ per_page: 100 }, { signal })).data,
    enabled: may('user-groups:read'),
  });
  const { buy_list, update_group_to } = values.group;
  const change = (changes: Partial<ProductGroup>) =>
    edit({ group: { ...values.group, ...changes } });
  const count = buy_list.length;
  if (groups.length === 0) return null;
  return (
    <Fold
      title={t.sections.groups}
      state={count === 0 ? t.groups.everybody : t.groups.chosen(count)}
      open={count > 0 || update_group_to !== null}
    >
      <Marked name="group">
        <fieldset className="scopes">
          <legend>{t.groups.buy_list}</legend>
          <p className="hint">{t.groups.buyHint}</p>
          <div className="choices">
            {groups.map(({ id, name }) => (
              <Choice
                key={id}
                name={name}
                checked={buy_list.includes(id)}
                onChange={(isChosen) =>
                  change({
                    buy_list: isChosen ? [...buy_list, id] : buy_list.filter((each) => each !== id),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <DraftField
          name="group.update_group_to"
          label={t.groups.update_group_to}
          hint={t.groups.moveHint}
        >
          <Select
            value={String(update_group_to ?? '')}
            options={[['', none], ...groups.map(({ id, name }) => [String(id), name] as const)]}
            onChange={(id) => change({ update_group_to: id === '' ? null : Number(id) })}
          />
        </DraftField>
      </Marked>
    </Fold>
  );
}
