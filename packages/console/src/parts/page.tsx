import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Its content in a sentence. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export const Page = ({ title, lead, actions, children }: PageProps) => (
  <>
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
    {children}
  </>
);

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="section">
    <div className="section-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

/** Facts with their names; one without a value is left out. */
export const Facts = ({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <dl className="facts">
    {items
      .filter(
        ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
      )
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
