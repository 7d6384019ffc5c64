import { contrast, mixed } from '../../../lib/colors.ts';

/** The least contrast of a text with its background. */
const readable = 4.5;

const black = '#000000';
const white = '#ffffff';

/** The backgrounds with the least contrast to a dark text, and to a light one. */
const grounds = { light: '#efefec', dark: '#222625' };

/** The colour itself, or the nearest darker or lighter one that can be read. */
function linkOn(ground: string, color: string): string {
  const end = ground === grounds.light ? black : white;
  const steps = Array.from({ length: 51 }, (_, i) => mixed(color, end, i / 50));
  return steps.find((step) => contrast(step, ground) >= readable) ?? end;
}

/** The store's colour, as the shop's style sheet uses it. */
export function shopColors(color: string) {
  // White or black: one of them has enough contrast to the colour.
  const text = contrast(color, white) >= contrast(color, black) ? white : black;
  return {
    button: color,
    onButton: text,
    hover: mixed(color, text === white ? black : white, 0.15),
    links: { light: linkOn(grounds.light, color), dark: linkOn(grounds.dark, color) },
  };
}

/** The style sheet of a colour. */
export function colorSheet(color: string): string {
  const { button, onButton, hover, links } = shopColors(color);
  return `.shop {
  --button: ${button};
  --on-button: ${onButton};
  --button-hover: ${hover};
  --accent: light-dark(${links.light}, ${links.dark});
}
`;
}
