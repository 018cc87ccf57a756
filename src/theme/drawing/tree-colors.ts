// The colors of a finished drawing: those of the page's light and dark scheme, and readable text on an author's colors.
import { luminanceOf } from './colors.ts';
import { type FinishedNode, isDefinition, shapes, visit } from './finish.ts';
import type { Box } from './geometry.ts';
import { eitherColor, themeColor } from './palette.ts';

const colorProperties = ['fill', 'stroke', 'stop-color'] as const;

/** The colors of a light drawing that are neither the theme's nor in its source. */
export function hasDerivedColors(light: FinishedNode, source: string): boolean {
  const written = source.toLowerCase();
  let isDerived = false;
  visit(light, ({ attributes }) => {
    for (const property of colorProperties) {
      const color = attributes.get(property);
      if (color === undefined || /^(?:none|transparent|url\()/.test(color)) continue;
      if (themeColor(color) === undefined && !written.includes(color.toLowerCase())) isDerived = true;
    }
  });
  return isDerived;
}

/** Gives the light tree the colors of both. A tree of another shape is ignored. */
export function joinColors(light: FinishedNode, dark: FinishedNode | undefined): void {
  const isAlike = dark !== undefined && dark.name === light.name && dark.children.length === light.children.length;
  for (const property of colorProperties) {
    const color = light.attributes.get(property);
    if (color === undefined) continue;
    const other = isAlike ? dark.attributes.get(property) : undefined;
    light.attributes.set(property, other === undefined ? (themeColor(color) ?? color) : eitherColor(color, other));
  }
  light.children.forEach((child, index) => {
    if (typeof child === 'string') return;
    const other = isAlike ? dark.children[index] : undefined;
    joinColors(child, typeof other === 'object' ? other : undefined);
  });
}

/** Makes text readable where an author colored what is behind it: the text's own color fits the page, not that color. */
export function readableTexts(root: FinishedNode): void {
  const painted: { box: Box; color: string }[] = [];
  const walk = (node: FinishedNode, fill: string): void => {
    if (isDefinition(node.name) || node.name === 'defs') return;
    const color = node.attributes.get('fill') ?? fill;
    if (node.name === 'text') {
      if (node.box) fix(node, color, node.box);
      return;
    }
    const isHidden =
      color === 'none' ||
      color === 'transparent' ||
      Number(node.attributes.get('fill-opacity') ?? node.attributes.get('opacity') ?? 1) < 0.5;
    if (shapes.has(node.name) && node.box && !isHidden) painted.push({ box: node.box, color });
    for (const child of node.children) if (typeof child !== 'string') walk(child, color);
  };
  const fix = (text: FinishedNode, color: string, box: Box): void => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const behind = painted.findLast(({ box: b }) => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height);
    const luminance = behind && luminanceOf(behind.color);
    if (luminance === undefined) return;
    const fitting = luminance > 0.25 ? '#0f1217' : '#f2f4f7';
    if (isThemed(color)) text.attributes.set('fill', fitting);
    visit(text, (part) => {
      if (isThemed(part.attributes.get('fill') ?? '')) part.attributes.set('fill', fitting);
    });
  };
  walk(root, 'black');
}

function isThemed(color: string): boolean {
  return color.startsWith('var(') || color.startsWith('light-dark(');
}
