import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

interface SecretBoxProps {
  readonly secret: string;
  readonly label: string;
  /** Called when the person says that it is copied. */
  readonly onDone: () => void;
}

/** A secret that is shown only once. */
export function SecretBox({ secret, label, onDone }: SecretBoxProps) {
  const t = useTexts(common).secret;
  return (
    <div className="secret" role="group" aria-label={label}>
      <p>{t.once}</p>
      <code className="secret-text">{secret}</code>
      <div className="row">
        <CopyButton text={secret} label={label} labelled />
        <Button look="primary" onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}
