import { afterEach, beforeEach, describe, test } from 'vitest';
import { freePort } from '../harness/ports.ts';
import { Checkout } from '../local/checkout.ts';
import { moments, opensAfterCtrlC, opensAfterKills } from '../local/interrupted.ts';

let checkout: Checkout;
let port: string;

beforeEach(async () => {
  checkout = new Checkout();
  port = String(await freePort());
});

afterEach(() => checkout.remove());

type Moment = keyof typeof moments;
const every = Object.keys(moments) as Moment[];

describe('A store whose first starts are broken off at any moment opens complete', () => {
  test('when they are killed', () => opensAfterKills(checkout, port, every));

  // At the last step the store can be open before the signal arrives.
  test('when they are interrupted', () => opensAfterCtrlC(checkout, port, every.slice(0, -1)));
});
