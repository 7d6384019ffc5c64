import { Link } from 'wouter';

interface LinkTabsProps {
  readonly label: string;
  readonly items: readonly {
    readonly href: string;
    readonly name: string;
    readonly current: boolean;
    /** The number of its records. */
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
