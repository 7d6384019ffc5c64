import { once } from './once.ts';

/**
 * Makes phone numbers comparable, however people write them. It knows enough of each country's
 * numbering to recognise a national spelling, and does not check if a number is valid. The function `svc_phone` of the
 * database has the same countries and rules.
 */

/**
 * Countries by their trunk prefix, which is dialled before a national number, each with its calling code and the
 * smallest number of digits of a mobile number.
 */
const countries: readonly (readonly [trunk: string, plans: string])[] = [
  [
    '0',
    'AE971-9 AF93-9 AL355-9 AM374-8 AR54-10 AT43-7 AU61-9 AX358-7 AZ994-9 BA387-8 BD880-10 BE32-9 ' +
      'BG359-8 BL590-9 BO591-8 BR55-10 CC61-9 CD243-7 CH41-9 CN86-11 CO57-10 CU53-8 CX61-9 DE49-10 ' +
      'DZ213-9 EC593-9 EG20-10 EH212-9 ER291-7 ET251-9 FI358-7 FR33-9 GB44-10 GE995-9 GF594-9 ' +
      'GG44-10 GH233-9 GP590-9 HR385-8 ID62-9 IE353-9 IL972-9 IM44-10 IN91-10 IQ964-10 IR98-10 ' +
      'JE44-10 JO962-9 JP81-10 KE254-9 KG996-9 KH855-8 KI686-8 KP850-10 KR82-9 LA856-9 LB961-7 ' +
      'LI423-7 LK94-9 LR231-7 LT370-8 LY218-9 MA212-9 MC377-8 MD373-8 ME382-8 MF590-9 MG261-9 ' +
      'MK389-8 MM95-7 MN976-8 MQ596-9 MW265-9 MY60-9 NA264-9 NG234-10 NL31-9 NP977-10 NZ64-8 PE51-9 ' +
      'PH63-10 PK92-10 PM508-6 PS970-9 PY595-9 RE262-9 RO40-9 RS381-8 RW250-9 SA966-9 SD249-9 ' +
      'SE46-9 SI386-8 SK421-9 SL232-8 SO252-7 SS211-9 SY963-9 TH66-9 TR90-10 TW886-9 TZ255-9 ' +
      'UA380-9 UG256-9 UY598-8 VE58-10 VN84-9 XK383-8 YE967-9 YT262-9 ZA27-7 ZM260-9 ZW263-9',
  ],
  [
    '',
    'AC247-5 AD376-6 AO244-9 AW297-7 BF226-8 BH973-8 BI257-8 BJ229-10 BN673-7 BQ599-7 BT975-8 ' +
      'BW267-8 BZ501-7 CF236-8 CG242-9 CI225-10 CK682-5 CL56-9 CM237-9 CR506-8 CV238-7 CW599-7 ' +
      'CY357-8 CZ420-9 DJ253-8 DK45-8 EE372-7 ES34-9 FJ679-7 FK500-5 FM691-7 FO298-6 GA241-7 ' +
      'GI350-8 GL299-6 GM220-7 GN224-9 GQ240-9 GR30-10 GT502-8 GW245-9 GY592-7 HK852-8 HN504-8 ' +
      'HT509-8 IO246-7 IS354-7 IT39-9 KM269-7 KW965-8 LS266-8 LU352-9 LV371-8 ML223-8 MO853-8 ' +
      'MR222-8 MT356-8 MU230-8 MV960-7 MX52-10 MZ258-9 NC687-6 NE227-8 NF672-6 NI505-8 NO47-8 ' +
      'NR674-7 NU683-7 OM968-8 PA507-7 PF689-8 PG675-8 PL48-9 PT351-9 PW680-7 QA974-8 SB677-7 ' +
      'SC248-7 SG65-8 SH290-5 SJ47-8 SM378-8 SN221-9 SR597-7 ST239-7 SV503-8 SZ268-8 TA290-4 ' +
      'TD235-8 TG228-8 TJ992-9 TK690-4 TL670-8 TN216-8 TO676-7 TV688-6 UZ998-9 VA39-9 VU678-7 ' +
      'WF681-6 WS685-7',
  ],
  [
    '1',
    'AG1-10 AI1-10 AS1-10 BB1-10 BM1-10 BS1-10 CA1-10 DM1-10 DO1-10 GD1-10 GU1-10 JM1-10 KN1-10 ' +
      'KY1-10 LC1-10 MH692-7 MP1-10 MS1-10 PR1-10 SX1-10 TC1-10 TT1-10 US1-10 VC1-10 VG1-10 VI1-10',
  ],
  ['8', 'BY375-9 KZ7-10 RU7-10 TM993-8'],
  ['06', 'HU36-9'],
];

interface Plan {
  readonly trunk: string;
  readonly code: string;
  readonly least: number;
}

const plans = once(() => {
  const byCountry = new Map<string, Plan>();
  const byCode = new Map<string, Plan>();
  for (const [trunk, texts] of countries) {
    for (const [, country = '', code = '', least] of texts.matchAll(/([A-Z]{2})(\d+)-(\d+)/g)) {
      const plan = { trunk, code, least: Number(least) };
      byCountry.set(country, plan);
      byCode.set(code, plan);
    }
  }
  return { byCountry, byCode };
});

/** The ISO codes of all countries that have telephones. */
export const countryCodes = (): readonly string[] => [...plans().byCountry.keys()];

/** Returns the number in a text. It ends before letters and other signs: an extension is no part of it. */
export const numberIn = (text: string): string =>
  /[+\d][^\p{L}#*;,]*/u.exec(text.normalize('NFKC'))?.[0] ?? '';

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Returns the last seven digits of a phone in a text, which distinguish it from most others in any spelling. */
export const lastDigits = (text: string): string => digitsOf(numberIn(text)).slice(-7);

/** Tells if a text can be stored as a phone: one line, with nothing but signs and one `+` before its number. */
export function isPhoneText(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false;
  const before = /^[^\d]*(?=\d)/u.exec(text)?.[0] ?? '';
  return /^[^\p{L}:+]*(?:\+[^\p{L}:+]*)?$/u.test(before) && !numberIn(text).slice(1).includes('+');
}

/**
 * Returns a phone in E.164, `+62812…`. After `+` or `00` comes a calling code; anything else is a number of the
 * country, with or without its trunk prefix or calling code. Without a country, or for one without its own numbers,
 * only the digits count, which is good enough to compare phones. Empty for a text without digits.
 * @param country ISO 3166-1 alpha-2, or empty
 */
export function phoneNumber(text: string, country: string): string {
  const number = numberIn(text);
  const digits = digitsOf(number);
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return '';
  if (isInternational(number)) return international(significant);
  const home = plans().byCountry.get(country);
  if (!home) return `+${significant}`;
  const { code, least } = home;
  const isWhole = digits.startsWith(code) && digits.length >= code.length + least;
  return isWhole ? international(digits) : `+${code}${withoutTrunk(digits, home)}`;
}

/**
 * Returns a phone in E.164 to send to; empty for one that can't be dialled. Without a country only a number after `+` or
 * `00` can be: as its digits, a national number may be somebody else's abroad.
 */
export function dialledNumber(text: string, country: string): string {
  if (!isInternational(numberIn(text)) && !plans().byCountry.has(country)) return '';
  const number = phoneNumber(text, country);
  return isE164(number) ? number : '';
}

const isInternational = (number: string) =>
  number.startsWith('+') || digitsOf(number).startsWith('00');

export interface PhonePart {
  readonly digits: string;
  /** The digits after a calling code, without the trunk prefix. */
  readonly national?: string;
  readonly code?: string;
}

/** Parses a text as a part of a phone: three digits or more, and the signs that people write between them. */
export function phonePart(text: string): PhonePart | undefined {
  const number = text.normalize('NFKC').replace(/^tel:/i, '').trim();
  const digits = digitsOf(number);
  if (digits.length < 3 || !/^[\d\s+()./\p{Pd}]+$/u.test(number)) return undefined;
  if (!isInternational(numberIn(number))) return { digits };
  const significant = digits.replace(/^0+/, '');
  const plan = planOf(significant);
  if (!plan) return { digits: significant };
  const national = withoutTrunk(significant.slice(plan.code.length), plan);
  return { digits: plan.code + national, national, code: plan.code };
}

/** Prefixes dialled before national numbers, by country: from abroad, and within it. */
export const dialledBefore = once(
  (): Readonly<Record<string, readonly [code: string, trunk: string]>> =>
    Object.fromEntries(
      Array.from(plans().byCountry, ([country, { code, trunk }]) => [country, [code, trunk]]),
    ),
);

export const isE164 = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** Compares two texts as phones of a country; an unreadable phone equals none. */
export function isSamePhone(a: string, b: string, country: string): boolean {
  const number = phoneNumber(a, country);
  return number !== '' && number === phoneNumber(b, country);
}

/** The trunk prefix often follows the calling code: `+62 (0)812…`. */
function international(digits: string): string {
  const plan = planOf(digits);
  if (!plan) return `+${digits}`;
  return `+${plan.code}${withoutTrunk(digits.slice(plan.code.length), plan)}`;
}

const planOf = (digits: string): Plan | undefined =>
  [1, 2, 3].map((length) => plans().byCode.get(digits.slice(0, length))).find(Boolean);

/** A trunk prefix other than 0 can also begin a national number: the length decides. */
function withoutTrunk(digits: string, { trunk, least }: Plan): string {
  const rest = digits.slice(trunk.length);
  const isPrefixed = digits.startsWith(trunk) && (trunk.startsWith('0') || rest.length >= least);
  return isPrefixed ? rest : digits;
}
