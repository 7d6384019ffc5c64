/** A bank's BIC, and its channel at Xendit. */
interface BankCodes {
  readonly bic: string;
  readonly xendit: string;
}

/** The largest banks of Indonesia, by Bank Indonesia's code. */
const banks: Readonly<Record<string, BankCodes>> = {
  '002': { bic: 'BRINIDJA', xendit: 'ID_BRI' },
  '008': { bic: 'BMRIIDJA', xendit: 'ID_MANDIRI' },
  '009': { bic: 'BNINIDJA', xendit: 'ID_BNI' },
  '011': { bic: 'BDINIDJA', xendit: 'ID_DANAMON' },
  '013': { bic: 'BBBAIDJA', xendit: 'ID_PERMATA' },
  '014': { bic: 'CENAIDJA', xendit: 'ID_BCA' },
  '016': { bic: 'IBBKIDJA', xendit: 'ID_MAYBANK' },
  '019': { bic: 'PINBIDJA', xendit: 'ID_PANIN' },
  '022': { bic: 'BNIAIDJA', xendit: 'ID_CIMB' },
  '028': { bic: 'NISPIDJA', xendit: 'ID_OCBC' },
  '200': { bic: 'BTANIDJA', xendit: 'ID_BTN' },
  '426': { bic: 'MEGAIDJA', xendit: 'ID_MEGA' },
  '451': { bic: 'BSMDIDJA', xendit: 'ID_BSI' },
};

export const codeIn = (directory: keyof BankCodes, { bank_code }: { bank_code: string }): string =>
  banks[bank_code]?.[directory] ?? bank_code;
