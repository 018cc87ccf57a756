import type { Props, PropValue } from '../tree.ts';

/** A prop as text; undefined when it is missing or not text. */
export function text(value: PropValue): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Whether a flag is set: `wrap`, `wrap={true}` and `wrap="true"` are the same. */
export function isOn(value: PropValue): boolean {
  return value === true || value === '' || value === 'true';
}

/** The items of a list prop as texts. */
export function texts(value: PropValue): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => text(item) ?? []);
}

/** A color that is valid in a style: `#0af`, `rgb(…)` or a name. */
export function color(value: PropValue): string | undefined {
  const written = text(value)?.trim();
  return written && /^(?:#[\da-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl|oklch)a?\([\d\s.,%/]+\))$/i.test(written) ? written : undefined;
}

/** The language that a class of a `<code>` element names: "language-js". */
export function classLanguage(props: Props): string | undefined {
  return /language-([\w+#-]+)/.exec(texts(props.className ?? props.class).join())?.[1];
}
