import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { StatusFigures } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { ageText, sizeText } from '../../lib/measure.ts';
import { Fold } from '../../parts/fold.tsx';
import { Status } from '../../parts/status.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './health-texts.ts';

type Name = keyof StatusFigures;

/** Reading the figures costs the database some work, so once an hour is enough. */
const staleTime = 3_600_000;

/** The figures of the service itself, open if one is out of order. */
export function Health() {
  const t = useTexts(texts);
  const may = useMay();
  const valueOf = useValue();
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: async ({ signal }) => (await api.status.get({ signal })).data,
    enabled: may('status:read'),
    staleTime,
  });
  if (!data) return null;
  const figures = Object.entries(data.figures) as [Name, StatusFigures[Name]][];
  const passed = figures.filter(([, figure]) => figure.passed).length;
  return (
    <Fold title={t.title} state={passed === 0 ? t.well : t.unwell(passed)} open={passed > 0}>
      <ul className="entries">
        {figures.map(([name, figure]) => (
          <li key={name}>
            <span className="entry-what">{t.figures[name]}</span>
            <span>{valueOf(name, figure.value)}</span>
            {figure.value !== null && (
              <Status tone={figure.passed ? 'bad' : 'good'}>
                {figure.passed ? t.alarm : t.ok}
              </Status>
            )}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** A figure in words: a time, a size or a number. */
function useValue(): (name: Name, value: number | null) => string {
  const t = useTexts(texts);
  const locale = useLocale();
  return (name, value) => {
    if (value === null) return name === 'backup_age' ? t.never : t.none;
    if (name === 'database_size') return sizeText(value, locale);
    return name.endsWith('_age') ? ageText(value, locale) : value.toLocaleString(locale);
  };
}
