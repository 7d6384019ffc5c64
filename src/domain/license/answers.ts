import { one } from '../../kernel/schemas/replies.ts';
import { meantCode } from './codes.ts';
import { type LicenseRow, toLicense } from './rules.ts';
import { type Activation, type LicenseQuestion, activationsShown } from './schemas.ts';
import { statusAt } from '../subscription/rules.ts';
import { canonicalString } from './strings.ts';
import { type LicenseCase, judgeString } from './verdicts.ts';
import { type Verdict, verdicts } from './verdict-codes.ts';

export const askedCode = ({ license, code }: LicenseQuestion) => meantCode(license ?? code ?? '');

export function askedString({ string, host }: LicenseQuestion): string | undefined {
  const given = string ?? host;
  return given === undefined ? undefined : canonicalString(given);
}

const said = (code: Verdict) => ({ valid: code === 'VALID', code, message: verdicts[code] });

export function verdictOn(
  row: LicenseCase,
  activation: Activation | null,
  asked: LicenseQuestion,
  now: Date,
) {
  const { license, product_title, subscription } = row;
  const isRegistered = activation !== null;
  const verdict = judgeString(row, asked, { string: askedString(asked), isRegistered }, now);
  return {
    ...one({
      license: toLicense(withActivation(row, activation), now),
      activation,
      subscription: subscription && {
        ...subscription,
        status: statusAt(subscription, now.toISOString()),
      },
      order_id: license.order_id,
      product_id: license.product_id,
      product_title,
    }),
    ...said(verdict),
  };
}

/** @param activation null if the licence may not be used */
export function registration(
  row: LicenseRow,
  activation: Activation | null,
  verdict: Verdict,
  now: Date,
) {
  const license = toLicense(withActivation(row, activation), now);
  return {
    ...one({ license, activation, remaining: license.remaining }),
    ...said(verdict),
    success: verdict === 'VALID',
  };
}

function withActivation(row: LicenseRow, activation: Activation | null): LicenseRow {
  if (!activation) return row;
  const others = row.activations.filter(({ id }) => id !== activation.id);
  const activations = [...others, activation].sort((a, b) => a.id - b.id);
  return { ...row, activations: activations.slice(0, activationsShown) };
}

/** @param released the number of removed strings */
export function release(row: LicenseRow, released: number, now: Date) {
  const license = toLicense(row, now);
  return one({ license, released, remaining: license.remaining });
}
