// What the built-in components of pages (src/markdown/components) and those in components of the docs (runtime/built-ins.ts) have in common.

/** The icons of callouts by their kind. */
export const calloutIcons: Record<string, string> = {
  note: 'circle-info',
  tip: 'lightbulb',
  info: 'circle-info',
  warning: 'triangle-exclamation',
  check: 'circle-check',
  danger: 'circle-exclamation',
};

export const badgeColors = 'gray blue green yellow orange red purple white surface white-destructive surface-destructive'.split(
  ' ',
);
export const badgeSizes = ['xs', 'sm', 'md', 'lg'];

export function badgeClasses(color: string, size: string): string[] {
  return [
    'c-badge',
    `c-badge-${badgeColors.includes(color) ? color : 'gray'}`,
    `c-badge-${badgeSizes.includes(size) ? size : 'sm'}`,
  ];
}

export function columnsClass(columns: unknown): string {
  return `c-columns c-columns-${Math.min(4, Math.max(1, Math.round(Number(columns ?? 2)) || 2))}`;
}

/** Whether a card that links there says that it leaves the site. */
export function isExternalLink(url: string): boolean {
  return /^(?:[a-z]+:)?\/\//i.test(url);
}
