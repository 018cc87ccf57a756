export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'carrel-theme';

/** The reader's stored choice, else what the site prefers; a strict site leaves no choice. */
export function readChoice(): ThemeChoice {
  const [preferred, strict] = (document.documentElement.dataset['appearance'] ?? 'system').split(' ');
  const stored = strict ? null : stores(() => localStorage.getItem(KEY));
  return (stored === 'system' || stored === 'light' || stored === 'dark' ? stored : preferred) as ThemeChoice;
}

export function storeChoice(choice: ThemeChoice): void {
  stores(() => localStorage.setItem(KEY, choice));
}

/** Shows the page in light or dark. The class is what authors' own style sheets select by. */
export function applyChoice(choice: ThemeChoice): void {
  const dark = choice === 'dark' || (choice === 'system' && systemIsDark().matches);
  const { dataset, classList } = document.documentElement;
  dataset['theme'] = dark ? 'dark' : 'light';
  dataset['themeChoice'] = choice;
  classList.toggle('dark', dark);
  classList.toggle('light', !dark);
}

export function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

/** What storage answers, or null where the browser blocks it. */
export function stores<Value>(use: () => Value): Value | null {
  try {
    return use();
  } catch {
    return null;
  }
}
