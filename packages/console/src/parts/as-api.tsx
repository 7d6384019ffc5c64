import { useState } from 'react';
import { curlOf, useCalls } from '../api/calls.ts';
import { useStore } from '../context/session.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { CodeBox } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

/** The calls of the current screen, as an API key would make them. */
export default function AsApi() {
  const t = useTexts(common).asApi;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Icon name="code" />
        {t.title}
      </Button>
      {open && <Calls onClose={() => setOpen(false)} />}
    </>
  );
}

function Calls({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(common).asApi;
  const { api_base } = useStore();
  const calls = useCalls();
  const text = calls.length > 0 ? t.explained : t.empty;
  return (
    <Dialog onClose={onClose} title={t.title} text={text} wide>
      {calls.map((call) => (
        <section key={call.method + call.path} className="as-api">
          <h3>{call.operation}</h3>
          <CodeBox text={curlOf(call, api_base)} label={`curl ${call.operation}`} />
        </section>
      ))}
    </Dialog>
  );
}
