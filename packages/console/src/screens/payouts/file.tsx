import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { PayoutRunWithLines } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Section } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const forms = ['general', 'bca', 'bi-fast', 'xendit'] as const;

export function RunFile({ run: { id } }: { readonly run: PayoutRunWithLines }) {
  const t = useTexts(texts).file;
  const [form, setForm] = useState<(typeof forms)[number]>('general');
  const file = useMutation({
    mutationFn: async () => {
      const blob = await api.payoutRuns.file(id, { form });
      save(blob, `payout-run-${id}-${form}.csv`);
      const [, ...lines] = (await blob.text()).trim().split('\r\n');
      return lines.length;
    },
  });
  return (
    <Section title={t.title}>
      <div className="toolbar">
        <Select
          label={t.form}
          value={form}
          options={forms.map((each) => [each, t.forms[each]])}
          onChange={setForm}
        />
        <Button busy={file.isPending} onClick={() => file.mutate()}>
          {t.get}
        </Button>
      </div>
      <p className="hint">{t.hint}</p>
      {file.data !== undefined && <p role="status">{t.lines(file.data)}</p>}
      {file.error && <ErrorView error={file.error} />}
    </Section>
  );
}

/** Saves a file among the browser's downloads. */
function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
