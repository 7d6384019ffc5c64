import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../api/client.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import type { Screen } from './screens.ts';
import { useMay } from '../context/session.ts';
import { texts } from './palette-texts.ts';
import { texts as frame } from './texts.ts';

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

export default function Palette({ onClose, screens }: PaletteProps) {
  const t = useTexts(texts);
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

/** The kinds of records that the palette finds, each with its scope and its search. */
const kinds = [
  {
    name: 'orders',
    scope: 'orders:read',
    find: async (query: Search, options: Options) =>
      (await api.orders.list(query, options)).data.map(({ id, number, user }) => ({
        name: number,
        aside: user.display_name,
        href: `/orders/${id}`,
      })),
  },
  {
    name: 'customers',
    scope: 'users:read',
    find: async (query: Search, options: Options) =>
      (await api.users.list(query, options)).data.map(({ id, display_name, email }) => ({
        name: display_name,
        aside: email,
        href: `/customers/${id}`,
      })),
  },
  {
    name: 'products',
    scope: 'products:read',
    find: async (query: Search, options: Options) =>
      (await api.products.list(query, options)).data.map(({ id, title, slug }) => ({
        name: title,
        aside: slug,
        href: `/products/${id}`,
      })),
  },
  {
    name: 'coupons',
    scope: 'coupons:read',
    find: async (query: Search, options: Options) =>
      (await api.coupons.list(query, options)).data.map(({ id, code }) => ({
        name: code,
        href: `/coupons/${id}`,
      })),
  },
  {
    name: 'licences',
    scope: 'licenses:read',
    find: async (query: Search, options: Options) =>
      (await api.licenses.list(query, options)).data.map(({ id, code, strings }) => ({
        name: code,
        aside: strings.join(', '),
        href: `/licences/${id}`,
      })),
  },
] as const;

interface Search {
  readonly search: string;
  readonly per_page: number;
}

interface Options {
  readonly signal: AbortSignal;
}

/** Finds screens and records for a text; it leaves out kinds that the account may not read. */
function useTargets(text: string, screens: readonly Screen[]) {
  const { nav } = useTexts(frame);
  const t = useTexts(texts);
  const may = useMay();
  const query = useLater(text.trim());
  const isSearch = query.length >= 2;
  const answers = useQueries({
    queries: kinds.map(({ name, scope, find }) => ({
      queryKey: ['found', name, query],
      queryFn: ({ signal }: Options) => find({ search: query, per_page: 5 }, { signal }),
      enabled: isSearch && may(scope),
    })),
  });
  const matches = screens
    .map(({ name, path }) => ({ name: nav[name], href: path }))
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const found = kinds.map(({ name }, i): Group => {
    const items: readonly Target[] = (isSearch && answers[i]?.data) || [];
    const path = screens.find((screen) => screen.name === name)?.path ?? '/';
    const all = {
      name: t.all(nav[name], query),
      href: `${path}?search=${encodeURIComponent(query)}`,
    };
    return { value: nav[name], items: items.length > 0 ? [...items, all] : [] };
  });
  const [orders, customers, ...others] = found;
  // Numbers mean orders; names and addresses mean people.
  const people = /\d/.test(query) ? [orders, customers] : [customers, orders];
  const groups = [{ value: t.screens, items: matches }, ...people, ...others];
  return {
    groups: groups.flatMap((group) => (group && group.items.length > 0 ? [group] : [])),
    searching: answers.some(({ isFetching }) => isFetching),
  };
}

/** Returns a text once typing pauses. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
