// Icons as inline SVG, which the policy allows and which follows the color of the text.

const shapes = {
  branch:
    '<circle cx="5" cy="3.5" r="1.5"/><circle cx="5" cy="12.5" r="1.5"/><circle cx="11" cy="5.5" r="1.5"/><path d="M5 5v6M11 7c0 2.5-6 1.5-6 4"/>',
  folder:
    '<path d="M2 4.5A1.5 1.5 0 0 1 3.5 3h2.7l1.6 2h4.7A1.5 1.5 0 0 1 14 6.5v5A1.5 1.5 0 0 1 12.5 13h-9A1.5 1.5 0 0 1 2 11.5z"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5"/>',
  more: '<circle cx="3.5" cy="8" r=".6"/><circle cx="8" cy="8" r=".6"/><circle cx="12.5" cy="8" r=".6"/>',
  external: '<path d="M9.5 2.5h4v4M13.5 2.5 7.5 8.5M12 9.5v3a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h3"/>',
  pin: '<path d="M6 2.5h4M6.5 2.5v4L4 9.5h8L9.5 6.5v-4M8 9.5v4"/>',
  arrow: '<path d="M3 8h10M9.5 4.5 13 8l-3.5 3.5"/>',
  check: '<path d="m3.5 8.5 3 3 6-7"/>',
  cross: '<path d="m4.5 4.5 7 7M11.5 4.5l-7 7"/>',
  up: '<path d="M5 7v6.5H2.5V7zM5 7l2.7-4.7c1 0 1.8.7 1.8 1.7v2.2h3a1 1 0 0 1 1 1.2l-1 5a1 1 0 0 1-1 .8H5"/>',
  down: '<path d="M5 9V2.5H2.5V9zM5 9l2.7 4.7c1 0 1.8-.7 1.8-1.7V9.8h3a1 1 0 0 0 1-1.2l-1-5a1 1 0 0 0-1-.8H5"/>',
};
export type Icon = keyof typeof shapes;

const drawn = new Map<Icon, Element>();

/** Hidden from screen readers: the text beside it, or the label of its button, says what it means. */
export function icon(name: Icon): Element {
  const known = drawn.get(name) ?? parse(shapes[name]);
  drawn.set(name, known);
  return known.cloneNode(true) as Element;
}

/** The HTML parser knows the namespace of SVG. */
function parse(shape: string): Element {
  const text = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>`;
  return new DOMParser().parseFromString(text, 'text/html').querySelector('svg')!;
}
