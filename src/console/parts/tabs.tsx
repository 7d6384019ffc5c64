import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface LinkTabsProps {
  readonly label: string;
  readonly items: readonly {
    readonly href: string;
    readonly name: string;
    readonly current: boolean;
    /** How many there are. */
    readonly count?: string | undefined;
  }[];
}

/** Views of a list: each has an address, so they are links. */
export const LinkTabs = ({ label, items }: LinkTabsProps) => (
  <nav className="tabs" aria-label={label}>
    {items.map(({ href, name, current, count }) => (
      <Link key={href} href={href} className="tab" aria-current={current ? 'page' : undefined}>
        {name}
        {count !== undefined && <span className="count">{count}</span>}
      </Link>
    ))}
  </nav>
);

interface TabsProps {
  readonly label: string;
  readonly items: readonly {
    readonly value: string;
    readonly name: string;
    readonly panel: ReactNode;
  }[];
}

/** Parts of one thing, one of which is shown. */
export const Tabs = ({ label, items }: TabsProps) => (
  <Base.Root defaultValue={items[0]?.value}>
    <Base.List className="tabs" aria-label={label}>
      {items.map(({ value, name }) => (
        <Base.Tab key={value} value={value} className="tab">
          {name}
        </Base.Tab>
      ))}
    </Base.List>
    {items.map(({ value, panel }) => (
      <Base.Panel key={value} value={value} className="panel">
        {panel}
      </Base.Panel>
    ))}
  </Base.Root>
);
