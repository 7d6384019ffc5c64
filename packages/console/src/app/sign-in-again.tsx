import { useEffect, useState } from 'react';
import { onRefusal, takesNewSignIn } from '../api/refusals.ts';
import { useSession } from '../context/session.ts';
import { quoted } from '../lib/shell.ts';
import { CodeBox } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useTexts } from '../texts/texts.ts';
import { linkCommand } from './sign-in.tsx';
import { texts } from './texts.ts';

/** Says what to do when something takes a recent sign-in; what was filled in stays beneath. */
export function SignInAgain() {
  const t = useTexts(texts);
  const { email } = useSession().user;
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      onRefusal((error) => {
        if (takesNewSignIn(error)) setOpen(true);
      }),
    [],
  );
  if (!open) return null;
  return (
    <Dialog onClose={() => setOpen(false)} title={t.again.title} text={t.again.text}>
      <CodeBox text={linkCommand(quoted(email))} label={t.signIn.title} />
      <p className="faint">{t.again.kept}</p>
    </Dialog>
  );
}
