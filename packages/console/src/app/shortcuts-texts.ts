import { catalogue } from '../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Keyboard shortcuts',
    enabled: 'Single-key shortcuts',
    enabledText: 'Off while you type. Switch them off if they get in your way.',
    palette: 'Go to anything',
    search: 'Search on this screen',
    goTo: (screen: string) => `Go to ${screen}`,
    nextRow: 'Next record',
    previousRow: 'Previous record',
    openRow: 'Open the record',
    close: 'Close',
    help: 'This list',
    key: 'Key',
    does: 'What it does',
  },
  id: {
    title: 'Pintasan papan ketik',
    enabled: 'Pintasan satu tombol',
    enabledText: 'Tidak aktif selama Anda mengetik. Matikan jika mengganggu.',
    palette: 'Pergi ke mana saja',
    search: 'Cari di layar ini',
    goTo: (screen: string) => `Ke ${screen}`,
    nextRow: 'Data berikutnya',
    previousRow: 'Data sebelumnya',
    openRow: 'Buka',
    close: 'Tutup',
    help: 'Daftar ini',
    key: 'Tombol',
    does: 'Kegunaan',
  },
});
