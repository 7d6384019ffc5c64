import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const commissions: Examples = {
  'commissions.list': () => ({}),
  'commissions.get': async (scene) => ({ params: { id: (await newCommission(scene)).id } }),
  'commissions.update': async (scene) => ({
    params: { id: (await newCommission(scene)).id },
    body: { note: 'Checked.' },
  }),
  'commissions.delete': async (scene) => ({ params: { id: (await newCommission(scene)).id } }),

  'payoutRuns.list': () => ({}),
  'payoutRuns.create': async (scene) => {
    const { affiliate_id } = await newCommission(scene);
    return { body: { affiliates: [affiliate_id] } };
  },
  'payoutRuns.get': async (scene) => ({ params: { id: (await newRun(scene)).id } }),
  'payoutRuns.lines': async (scene) => ({ params: { id: (await newRun(scene)).id } }),
  'payoutRuns.file': async (scene) => ({ params: { id: (await newRun(scene)).id } }),
  'payoutRuns.confirm': async (scene) => ({ params: { id: (await newRun(scene)).id } }),
  'payoutRuns.discard': async (scene) => ({ params: { id: (await newRun(scene)).id } }),
  'payoutRuns.setResult': async (scene) => {
    const { id, lines } = await confirmedRun(scene);
    return { params: { id, line: lines[0].id }, body: { result: 'paid' } };
  },
  'payoutRuns.setResults': async (scene) => {
    const { id, lines } = await confirmedRun(scene);
    return { params: { id }, body: { results: [{ id: lines[0].id, result: 'paid' }] } };
  },
  'payouts.list': () => ({}),
  'payouts.get': async (scene) => {
    const { affiliate_id } = await newCommission(scene);
    const payout = { affiliate_id, method: 'bank', reference: 'March' };
    return { params: { id: (await scene.create('/payouts', payout)).id } };
  },
  'payouts.create': async (scene) => {
    const { affiliate_id } = await newCommission(scene);
    return { body: { affiliate_id, method: 'bank', reference: 'March' } };
  },
  'payouts.cancel': async (scene) => {
    const { affiliate_id } = await newCommission(scene);
    const payout = { affiliate_id, method: 'bank', reference: 'March' };
    return { params: { id: (await scene.create('/payouts', payout)).id } };
  },
};

async function newRun(scene: Scene) {
  const { affiliate_id } = await newCommission(scene);
  return scene.create('/payout-runs', { affiliates: [affiliate_id] });
}

async function confirmedRun(scene: Scene) {
  const { id } = await newRun(scene);
  return (await scene.api.post(`/payout-runs/${id}/confirm`)).body.data;
}

async function newCommission(scene: Scene): Promise<{ id: number; affiliate_id: number }> {
  const tiers = [{ tier: 1, fee: 10, type: 'percentage' }];
  const product_id = await scene.newProduct({ affiliate: { enabled: true, tiers } });
  // A shared account would hold the commissions.
  const bank_info = `BCA 5501${product_id}`;
  const affiliate_id = await scene.newUser({ roles: ['affiliate'], bank_info });
  const user_id = await scene.newUser();
  await scene.create('/orders', { product_id, user_id, affiliate_id, status: 'completed' });
  const { body } = await scene.api.get(`/commissions?product_id=${product_id}`);
  return { id: body.data[0].id, affiliate_id };
}
