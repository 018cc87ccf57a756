/** Frontmatter can contain anything: these functions return a value of the expected type, or undefined. */

export function textField(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

export function flagField(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

export function numberField(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function textsField(value: unknown): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  return Array.isArray(value) ? value.map(textField).filter((one) => one !== undefined) : [];
}

export function objectField(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
