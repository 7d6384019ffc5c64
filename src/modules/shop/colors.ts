import * as z from 'zod';
import { download, endpoint, open } from '../../kernel/endpoint/declare.ts';

export const showColors = endpoint({
  id: 'shop.colors',
  namespace: 'root',
  route: ['GET /shop/colors/:file'],
  summary: 'Get the style sheet of a colour',
  description: "Its address has the colour, so the page's policy needs no inline styles.",
  access: open('everybody may look at the shop'),
  effect: 'read',
  params: z.object({ file: z.string().regex(/^[0-9a-f]{6}\.css$/) }),
  reply: [200, download],
}).handle(async ({ params: { file } }) => {
  const { colorSheet } = await import('./view/colors.ts');
  return {
    status: 200,
    text: colorSheet(`#${file.slice(0, 6)}`),
    headers: {
      'content-type': 'text/css; charset=UTF-8',
      'cache-control': 'public, max-age=86400',
    },
  };
});
