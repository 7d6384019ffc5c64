import { useTimeSetting } from '../context/session.ts';
import { distance, moment, zoneName } from '../lib/time.ts';

interface TimeProps {
  readonly at: string;
  /** `both`: the moment in the store's zone, and its distance; `distance`: only that, with the rest in the tooltip. */
  readonly as?: 'both' | 'moment' | 'distance';
}

/** A moment in the store's time zone, with the zone's name. */
export function Time({ at, as = 'moment' }: TimeProps) {
  const setting = useTimeSetting();
  const whole = `${moment(at, setting)} ${zoneName(at, setting)}`;
  const far = distance(at, new Date(), setting.locale);
  return (
    <time dateTime={at} title={as === 'distance' ? whole : far}>
      {as === 'distance' ? far : whole}
      {as === 'both' && <span className="faint"> · {far}</span>}
    </time>
  );
}
