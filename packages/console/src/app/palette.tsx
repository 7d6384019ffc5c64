import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../api/client.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import type { Screen } from './screens.ts';
import { useMay } from '../context/session.ts';
import { texts } from './texts.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly screens: readonly Screen[];
}

interface Target {
  readonly name: string;
  readonly aside?: string;
  readonly href: string;
}

interface Group {
  readonly value: string;
  readonly items: readonly Target[];
}

/** Goes to a screen, or to an order by its number or its buyer. */
export default function Palette({ onClose, screens }: PaletteProps) {
  const t = useTexts(texts).palette;
  const { noMatches } = useTexts(common);
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const { groups, searching } = useTargets(text, screens);
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette" aria-label={t.title} data-modal="">
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            value={text}
            onValueChange={(next) => setText(next)}
            itemToStringValue={({ name }: Target) => name}
          >
            <Autocomplete.Input
              className="palette-input"
              aria-label={t.label}
              placeholder={t.placeholder}
            />
            <div className="palette-results">
              <Autocomplete.Empty>
                <p className="popup-note">{searching ? t.searching : noMatches}</p>
              </Autocomplete.Empty>
              <Autocomplete.List>
                {(group: Group) => (
                  <Autocomplete.Group key={group.value} items={group.items}>
                    <Autocomplete.GroupLabel className="group-label">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(target: Target) => (
                        <Autocomplete.Item
                          key={target.href}
                          value={target}
                          className="item"
                          onClick={() => {
                            onClose();
                            navigate(target.href);
                          }}
                        >
                          {target.name}
                          {target.aside && <span className="faint item-aside">{target.aside}</span>}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Finds the screens and orders for a text. */
function useTargets(text: string, screens: readonly Screen[]) {
  const { nav, palette: t } = useTexts(texts);
  const may = useMay();
  const query = useLater(text.trim());
  const isSearch = query.length >= 2 && may('orders:read');
  const { data = [], isFetching } = useQuery({
    queryKey: ['orders', 'found', query],
    queryFn: async ({ signal }) =>
      (await api.orders.list({ search: query, per_page: 6 }, { signal })).data,
    enabled: isSearch,
  });
  const found = isSearch ? data : [];
  const matches = screens
    .map(({ name, path }) => ({ name: nav[name], href: path }))
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const orders = found.map(({ id, number, user }) => ({
    name: number,
    aside: user.display_name,
    href: `/orders/${id}`,
  }));
  const all = { name: t.allOrders(query), href: `/orders?search=${encodeURIComponent(query)}` };
  const groups: Group[] = [
    { value: t.screens, items: matches },
    { value: t.orders, items: orders.length > 0 ? [...orders, all] : [] },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), searching: isFetching };
}

/** A text once nobody has typed on for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
