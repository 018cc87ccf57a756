export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'carrel-theme';

export function isChoice(value: unknown): value is ThemeChoice {
  return value === 'system' || value === 'light' || value === 'dark';
}

/** The reader's stored choice, else the site's default; a site with a strict appearance ignores the stored one. */
export function readChoice(): ThemeChoice {
  const [preferred, strict] = (document.documentElement.dataset['carrelAppearance'] ?? 'system').split(' ');
  const stored = strict ? null : stores(() => localStorage.getItem(KEY));
  if (isChoice(stored)) return stored;
  return isChoice(preferred) ? preferred : 'system';
}

export function storeChoice(choice: ThemeChoice): void {
  stores(() => localStorage.setItem(KEY, choice));
}

/** Shows the page in light or dark. The class is for the selectors of authors' own stylesheets. */
export function applyChoice(choice: ThemeChoice): void {
  const dark = choice === 'dark' || (choice === 'system' && systemIsDark().matches);
  const { dataset, classList } = document.documentElement;
  dataset['theme'] = dark ? 'dark' : 'light';
  dataset['carrelThemeChoice'] = choice;
  classList.toggle('dark', dark);
  classList.toggle('light', !dark);
}

export function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

/** The result of using storage, or null where the browser blocks it. */
export function stores<Value>(use: () => Value): Value | null {
  try {
    return use();
  } catch {
    return null;
  }
}
