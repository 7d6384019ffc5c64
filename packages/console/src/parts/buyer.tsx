import { usePhone } from '../context/phone.ts';
import { useStore } from '../context/session.ts';
import { callTo, chatWith } from '../lib/phone.ts';
import type { OrderUser } from '../api/generated.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

/** A buyer with the ways to reach them. */
export function Buyer({ user: { id, display_name, email } }: { readonly user: OrderUser }) {
  const phone = usePhone(id);
  return (
    <>
      {display_name} {email && <a href={`mailto:${email}`}>{email}</a>}
      {phone && <Phone phone={phone} />}
    </>
  );
}

function Phone({ phone }: { readonly phone: string }) {
  const t = useTexts(common);
  const chat = chatWith(phone, useStore().dialling);
  return (
    <span className="phone">
      <a href={callTo(phone)}>{phone}</a>
      {chat && (
        <a href={chat} target="_blank" rel="noreferrer">
          {t.whatsApp}
        </a>
      )}
    </span>
  );
}
