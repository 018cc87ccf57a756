// The texts of the playground, in the language of the page.
import type { playgroundLabels } from '../../texts/index.ts';

export type PlaygroundLabels = ReturnType<typeof playgroundLabels>;

/** The name of a text, and the values of its placeholders. */
export type Text = [name: keyof PlaygroundLabels, values?: Record<string, string | number>];

/** What is wrong with a value. */
export interface Fault {
  /** '' for the value itself, else such as `items[0].name`. */
  path: string;
  text: Text;
}

export class Texts {
  readonly labels: PlaygroundLabels;
  readonly #language: string;

  constructor(labels: PlaygroundLabels, language: string) {
    this.labels = labels;
    this.#language = language;
  }

  of(...[name, values = {}]: Text): string {
    return this.labels[name].replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
  }

  ofFault({ path, text }: Fault): string {
    return (path === '' ? '' : `${path}: `) + this.of(...text);
  }

  /** `26 bytes`, `1.2 kB`, `20 MB` */
  size(bytes: number): string {
    if (bytes < 1000) return this.#number(bytes, 'byte', 'long');
    return bytes < 1_000_000
      ? this.#number(bytes / 1000, 'kilobyte', 'short')
      : this.#number(bytes / 1_000_000, 'megabyte', 'short');
  }

  /** A time in milliseconds since 1970. */
  time(time: number): string {
    return this.#formatted((language) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' }).format(time),
    );
  }

  milliseconds(count: number): string {
    return this.#number(count, 'millisecond', 'short');
  }

  #number(value: number, unit: string, unitDisplay: 'long' | 'short'): string {
    const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const;
    return this.#formatted((language) => new Intl.NumberFormat(language, options).format(value));
  }

  #formatted(format: (language: string) => string): string {
    try {
      return format(this.#language);
    } catch {
      // Authors can name languages that are not language tags.
      return format('en');
    }
  }
}
