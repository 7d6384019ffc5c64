import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { DeleteRecord } from '../../parts/delete-record.tsx';
import { catalogue, useTexts } from '../../texts/texts.ts';

const eraseTexts = catalogue({
  en: {
    verb: 'Erase',
    title: (name: string) => `Erase ${name}?`,
    erased:
      'Erased for good: name, e-mail, phone, address, bank account, wishes and uploaded pictures except creatives; the receivers and notes of orders; the details of payment proofs; the recipients and texts of messages; and all other notes. All sessions end.',
    kept: 'What stays: orders, payments, commissions, payouts, access and licences, with products, dates and amounts, and the place in the tree. They belong to a deleted user. Deliveries to webhooks and administrators’ reasons in the audit log stay until their time is over.',
    final: 'This cannot be undone.',
    done: (name: string) => `${name} is erased.`,
  },
  id: {
    verb: 'Hapus data pribadi',
    title: (name: string) => `Hapus data pribadi ${name}?`,
    erased:
      'Dihapus untuk selamanya: nama, email, telepon, alamat, rekening bank, daftar keinginan dan gambar yang diunggah selain materi promosi; penerima dan catatan pesanan; rincian bukti bayar; penerima dan isi pesan; serta semua catatan lain. Semua sesi berakhir.',
    kept: 'Yang tetap: pesanan, pembayaran, komisi, pencairan, akses dan lisensi, dengan produk, tanggal dan jumlahnya, serta tempat di jaringan. Pemiliknya menjadi pengguna yang dihapus. Kiriman ke webhook dan alasan administrator di log audit tetap ada sampai masa simpannya habis.',
    final: 'Ini tidak dapat dibatalkan.',
    done: (name: string) => `Data pribadi ${name} dihapus.`,
  },
});

interface EraseProps {
  readonly user: User;
  readonly onGone: () => void;
}

export function Erase({ user, onGone }: EraseProps) {
  const t = useTexts(eraseTexts);
  return (
    <DeleteRecord
      verb={t.verb}
      name={t.title(user.display_name)}
      text={
        <>
          <span className="dialog-part">{t.erased}</span>
          <span className="dialog-part">{t.kept}</span>
          <strong>{t.final}</strong>
        </>
      }
      done={t.done(user.display_name)}
      of="users"
      remove={() => api.users.delete(user)}
      onGone={onGone}
    />
  );
}
