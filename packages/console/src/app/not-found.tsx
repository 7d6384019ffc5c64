import { Link } from 'wouter';
import { EmptyState } from '../parts/empty-state.tsx';
import { catalogue, useTexts } from '../texts/texts.ts';

const texts = catalogue({
  en: {
    title: 'There is nothing here',
    text: 'No screen has this address.',
    home: 'Go to Home',
  },
  id: {
    title: 'Tidak ada apa-apa di sini',
    text: 'Tidak ada layar dengan alamat ini.',
    home: 'Ke Beranda',
  },
});

export default function NotFound() {
  const t = useTexts(texts);
  return (
    <EmptyState title={t.title} text={t.text}>
      <Link className="button" href="/">
        {t.home}
      </Link>
    </EmptyState>
  );
}
