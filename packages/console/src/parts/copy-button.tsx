import { useEffect, useState } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** The name of the copied value, for the button's own name. */
  readonly label: string;
  /** True if its name is visible. */
  readonly labelled?: boolean;
  readonly onCopied?: () => void;
}

export function CopyButton({ text, label, labelled = false, onCopied }: CopyButtonProps) {
  const t = useTexts(common).actions;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    onCopied?.();
  };
  return (
    <>
      <button
        type="button"
        className={labelled ? 'button' : 'icon-button'}
        aria-label={labelled ? undefined : t.copyOf(label)}
        onClick={() => void copy()}
      >
        <Icon name={copied ? 'check' : 'copy'} />
        {labelled && (copied ? t.copied : t.copyOf(label))}
      </button>
      <span className="visually-hidden" role="status">
        {copied ? t.copied : ''}
      </span>
    </>
  );
}

/** A text for programs, with a button that copies it. */
export const CodeBox = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div className="code-box">
    {/* Focusable, so that the keyboard can scroll a text that is too wide. */}
    <pre role="region" aria-label={label} tabIndex={0}>
      {text}
    </pre>
    <CopyButton text={text} label={label} />
  </div>
);
