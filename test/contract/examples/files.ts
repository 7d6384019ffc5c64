import { formOf } from '../../harness/client.ts';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

const sent = () => new File(['content'], 'workbook.pdf', { type: 'application/pdf' });

export const files: Examples = {
  'files.list': () => ({}),
  'files.get': async (scene) => ({ params: { id: await newFile(scene) } }),
  'files.create': ({ product }) => ({
    body: { product_id: product, name: 'course.mp4', size: 7 },
  }),
  'files.update': async (scene) => ({
    params: { id: await newFile(scene) },
    body: { position: 2 },
  }),
  'files.delete': async (scene) => ({ params: { id: await newFile(scene) } }),
  'files.uploadPart': async (scene) => ({
    params: { id: await announced(scene), part: 1 },
    body: { bytes: 'content' },
    headers: () => ({ 'content-length': '7' }),
  }),
  'files.complete': async (scene) => {
    const id = await announced(scene);
    const headers = { 'content-length': '7' };
    await scene.backend.put(`/files/${id}/parts/1`, 'content', { headers });
    return { params: { id } };
  },
  'files.download': async (scene) => {
    const buyer = await scene.newUser();
    await scene.create('/access', { user_id: buyer, product_id: scene.product });
    const file = await newFile(scene);
    const session = await scene.session(buyer);
    const reply = await session.get(`/me/access/${scene.product}/files`);
    const own = reply.body.data as { id: number; download_url: string }[];
    const url = own.find(({ id }) => id === file)?.download_url;
    return { params: { token: url?.split('/').at(-1) ?? '' } };
  },
  'me.access.files': async (scene) => {
    await scene.create('/access', { user_id: scene.buyer, product_id: scene.product });
    return { params: { product_id: scene.product } };
  },
};

const newFile = async (scene: Scene) =>
  (await scene.backend.post('/files', formOf({ file: sent(), product_id: scene.product }))).body
    .data.id as number;

const announced = async (scene: Scene) =>
  (await scene.create('/files', { product_id: scene.product, name: 'course.mp4', size: 7 })).id;
