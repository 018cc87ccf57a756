import { alpha, luminance } from 'khroma';

export function isColor(text: string): boolean {
  return luminanceOf(text) !== undefined;
}

/** Relative luminance of a color that hides what is behind it. */
export function luminanceOf(color: string): number | undefined {
  try {
    return alpha(color) < 0.5 ? undefined : luminance(color);
  } catch {
    return undefined;
  }
}
