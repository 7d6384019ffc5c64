import { Link } from 'wouter';

/** Link to another view of the orders, with the number of its entries. */
export function ViewLink(props: {
  readonly view: string;
  readonly name: string;
  readonly total: number | undefined;
  readonly current: boolean;
}) {
  return (
    <Link
      className="button plain"
      href={`/orders?view=${props.view}`}
      aria-current={props.current ? 'page' : undefined}
    >
      {props.name}
      <span className="count">{props.total}</span>
    </Link>
  );
}
