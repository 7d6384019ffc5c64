import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { barsOf, topOf } from '../lib/scale.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';

/** A series of a chart; its tone is its colour. */
export interface Series {
  readonly name: string;
  readonly tone: 'one' | 'two' | 'good' | 'bad' | 'wait';
  readonly values: readonly number[];
}

interface BarsProps {
  /** The subject and the period. */
  readonly label: string;
  /** The text below each bar, and in the table's first column. */
  readonly names: readonly string[];
  /** The heading of the table's first column. */
  readonly namesAre: string;
  /** One series, or several that are stacked. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Formats a value in few characters, for the axis. */
  readonly short?: (value: number) => string;
  readonly height?: number;
}

const left = 64;
const bottom = 22;

/** Bars, stacked if there are several series; a button shows the same data as a table. */
export function Bars(props: BarsProps) {
  const t = useTexts(common).chart;
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="chart">
      {asTable ? <ChartTable {...props} /> : <BarsDrawing {...props} />}
      <figcaption>
        {props.series.length > 1 && <Legend series={props.series} />}
        <Button look="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? t.chart : t.table}
        </Button>
      </figcaption>
    </figure>
  );
}

function BarsDrawing({ label, names, series, format, short = format, height = 180 }: BarsProps) {
  const title = useId();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const sums = names.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const top = topOf(Math.max(0, ...sums));
  const { step, bar } = barsOf(names.length, width - left);
  const tall = height - bottom - 8;
  const every = Math.ceil(names.length / Math.max(2, Math.floor(width / 90)));
  return (
    <div ref={place}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={title}>
        <title id={title}>{label}</title>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="grid" x1={left} x2={width} y1={yOf(part)} y2={yOf(part)} />
            <text className="axis" x={left - 8} y={yOf(part) + 4} textAnchor="end">
              {short(top * part)}
            </text>
          </g>
        ))}
        {names.map((name, i) => (
          <g key={name}>
            {stacked(series, i).map(({ tone, from, value }) => (
              <rect
                key={tone}
                className={`tone-${tone}`}
                x={left + i * step + (step - bar) / 2}
                width={bar}
                y={8 + tall - ((from + value) / top) * tall}
                height={(value / top) * tall}
                rx={Math.min(2, bar / 4)}
              />
            ))}
            <rect className="bar-hover" x={left + i * step} width={step} y={8} height={tall}>
              <title>{`${name}: ${series.map((each) => `${each.name} ${format(each.values[i] ?? 0)}`).join(', ')}`}</title>
            </rect>
            {i % every === 0 && (
              <text className="axis" x={left + (i + 0.5) * step} y={height - 4} textAnchor="middle">
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );

  function yOf(part: number): number {
    return 8 + tall * (1 - part);
  }
}

/** Measures an element in pixels, so that text in a drawing keeps its size. */
function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(720);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return width;
}

/** The parts of a bar, each starting where the one below ends. */
function stacked(series: readonly Series[], i: number) {
  let from = 0;
  return series.map(({ tone, values }) => {
    const value = values[i] ?? 0;
    const part = { tone, from, value };
    from += value;
    return part;
  });
}

const ChartTable = ({ label, names, namesAre, series, format }: BarsProps) => (
  <div className="chart-table" role="region" aria-label={label} tabIndex={0}>
    <table>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{namesAre}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" className="end">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name, i) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {series.map((each) => (
              <td key={each.name} className="end">
                {format(each.values[i] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Legend = ({ series }: { readonly series: readonly Series[] }): ReactNode => (
  <ul className="legend">
    {series.map(({ name, tone }) => (
      <li key={name} className={`tone-${tone}`}>
        {name}
      </li>
    ))}
  </ul>
);
