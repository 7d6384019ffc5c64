import { expect, test } from 'vitest';
import { contrast, mixed } from '../../src/lib/colors.ts';
import { colorSheet, shopColors } from '../../src/modules/shop/view/colors.ts';

test('the contrast of colours is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(mixed('#ff0000', '#000000', 0.5)).toBe('#800000');
});

test('buttons and links can be read in every colour a store may set', () => {
  const channels = ['00', '33', '66', '77', '99', 'cc', 'ff'];
  const colors = channels.flatMap((red) =>
    channels.flatMap((green) => channels.map((blue) => `#${red}${green}${blue}`)),
  );
  for (const color of colors) {
    const { button, onButton, hover, links } = shopColors(color);
    const pairs = [
      [onButton, button],
      [onButton, hover],
      ...['#ffffff', '#f6f6f4', '#efefec'].map((ground) => [links.light, ground]),
      ...['#131514', '#1a1d1c', '#222625'].map((ground) => [links.dark, ground]),
    ] as const;
    for (const [text = '', ground = ''] of pairs)
      expect(contrast(text, ground), `${color}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
});

test('the style sheet of a readable colour has it unchanged', () => {
  expect(colorSheet('#17655b')).toContain('--accent: light-dark(#17655b, #');
});
