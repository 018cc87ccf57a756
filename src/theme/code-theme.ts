// The colors of a Shiki theme for the classes of our own highlighting: code is tokenized once, whatever its theme.
import { bundledThemes, type BundledTheme } from 'shiki/themes';
import type { SiteConfig } from '../site/model.ts';
import { kindsWithScopes } from '../markdown/highlight/token-kinds.ts';
import { isColor, readable } from '../../integration/text/contrast.ts';

/** Stylesheet that colors code as two themes do, in light and dark mode. Colors with too little contrast become darker or lighter. */
export async function codeThemeSheet({ light, dark }: NonNullable<SiteConfig['codeTheme']>): Promise<string> {
  const [day, night] = await Promise.all([colorsOf(light), colorsOf(dark)]);
  const pair = (name: string) => `light-dark(${day.get(name)!},${night.get(name)!})`;
  const rules = kindsWithScopes.filter(([kind]) => kind !== 'plain').map(([kind]) => `.sk-${kind}{color:${pair(kind)}}\n`);
  return `:root{--code-ground:${pair('ground')};--code-text:${pair('text')}}\n${rules.join('')}`;
}

interface Rule {
  scopes: string[];
  color: string;
}

async function colorsOf(name: string): Promise<Map<string, string>> {
  const { default: theme } = await bundledThemes[name as BundledTheme]();
  // Vesper has one without settings.
  const written: Partial<NonNullable<typeof theme.settings>[number]>[] = theme.settings ?? theme.tokenColors ?? [];
  const rules = written.flatMap(({ scope, settings }): Rule[] => {
    const scopes = [scope ?? []].flat().flatMap((one) => one.split(/\s*,\s*/));
    return isColor(settings?.foreground) ? [{ scopes, color: settings.foreground.slice(0, 7) }] : [];
  });
  const isDark = theme.type === 'dark';
  const editor = (key: string, otherwise: string) => [theme.colors?.[key], otherwise].find(isColor)!.slice(0, 7);
  const ground = editor('editor.background', isDark ? '#1e1e1e' : '#ffffff');
  const text = readable(editor('editor.foreground', isDark ? '#d4d4d4' : '#24292f'), ground);
  const colors = new Map([
    ['ground', ground],
    ['text', text],
  ]);
  for (const [kind, scopes] of kindsWithScopes) {
    const found = scopes.map((scope) => colorOf(scope, rules)).find((color) => color !== undefined);
    colors.set(kind, found === undefined ? text : readable(found, ground));
  }
  return colors;
}

/** The color of the most specific rule for a scope; of equally specific ones, of the last. */
function colorOf(scope: string, rules: Rule[]): string | undefined {
  let best = { length: 0, color: undefined as string | undefined };
  for (const { scopes, color } of rules) {
    for (const one of scopes) {
      if ((scope === one || scope.startsWith(`${one}.`)) && one.length >= best.length) best = { length: one.length, color };
    }
  }
  return best.color;
}
