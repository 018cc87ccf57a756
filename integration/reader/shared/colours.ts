/**
 * Colours of a shadow tree of ours: those of the site (`--carrel-*`), else those of Starlight, which many of its themes set too, else
 * our own. The manual lists them for theme authors: src/manual/astro-search.mdx.
 */
export const colours = `
:host {
  --text: var(--carrel-text, var(--sl-color-text, light-dark(#3b414d, #b9bfca)));
  --strong: var(--carrel-heading, var(--sl-color-white, light-dark(#0f1217, #f2f4f7)));
  --muted: var(--carrel-muted, var(--sl-color-gray-3, light-dark(#5d6472, #8f97a5)));
  --line: var(--carrel-border, var(--sl-color-gray-5, light-dark(#e6e8ec, #2a2f39)));
  --ground: var(--carrel-background, var(--sl-color-bg, light-dark(#fff, #14171d)));
  --accent: var(--carrel-accent, var(--sl-color-text-accent, light-dark(#0f5fd7, #7cb0ff)));
}
`;
