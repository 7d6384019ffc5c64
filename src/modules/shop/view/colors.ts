import { contrast, mixed } from '../../../lib/colors.ts';

/** The least contrast between text and background. */
const readable = 4.5;

const black = '#000000';
const white = '#ffffff';

/** The backgrounds with the least contrast to dark text and to light text. */
const grounds = { light: '#efefec', dark: '#222625' };

/** Darkens or lightens a colour until it can be read. */
function linkOn(ground: string, color: string): string {
  const end = ground === grounds.light ? black : white;
  const steps = Array.from({ length: 51 }, (_, i) => mixed(color, end, i / 50));
  return steps.find((step) => contrast(step, ground) >= readable) ?? end;
}

export function shopColors(color: string) {
  // White or black: one of them has enough contrast.
  const text = contrast(color, white) >= contrast(color, black) ? white : black;
  return {
    button: color,
    onButton: text,
    hover: mixed(color, text === white ? black : white, 0.15),
    links: { light: linkOn(grounds.light, color), dark: linkOn(grounds.dark, color) },
  };
}

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
