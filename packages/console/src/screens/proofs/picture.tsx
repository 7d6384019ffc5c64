import { useState } from 'react';
import { pictureAddress } from '../../api/client.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ProofProps } from './props.ts';
import { texts } from './texts.ts';

/** The picture that a buyer sent, or a link if it can't be shown. */
export function Picture({ proof }: Pick<ProofProps, 'proof'>) {
  const t = useTexts(texts);
  const [failed, setFailed] = useState(false);
  const { id, detail, order, order_id } = proof;
  if (detail.proof === '') return <p className="proof-picture empty">{t.noPicture}</p>;
  if (failed) return <Elsewhere address={detail.proof} />;
  const address = pictureAddress(id);
  return (
    <a className="proof-picture" href={address} target="_blank" rel="noreferrer">
      <img
        src={address}
        alt={t.picture(order?.number ?? `#${order_id}`)}
        onError={() => setFailed(true)}
      />
    </a>
  );
}

function Elsewhere({ address }: { readonly address: string }) {
  const t = useTexts(texts);
  const url = URL.parse(address);
  const leads = url !== null && /^https?:$/.test(url.protocol);
  return (
    <p className="proof-picture empty">
      {t.notShown}{' '}
      {leads ? (
        <a href={url.href} target="_blank" rel="noreferrer">
          {url.host}
        </a>
      ) : (
        <code>{address}</code>
      )}
    </p>
  );
}
