// Contrast as WCAG 2.2 defines it: (L1 + 0.05) / (L2 + 0.05) of relative luminances.

/** The color itself, or the nearest lighter or darker shade with enough contrast on `background` (4.5:1). Values that are not hex colors stay unchanged. */
export function readable(color: string, background: string, ratio = 4.5): string {
  const from = parse(color);
  const behind = parse(background);
  if (!from || !behind || contrast(from, behind) >= ratio) return color;
  const toward: Rgb = luminance(behind) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 1; step < 40; step++) {
    const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + ((toward[channel] - from[channel]) * step) / 40);
    const mixed: Rgb = [mix(0), mix(1), mix(2)];
    if (contrast(mixed, behind) >= ratio) return hex(mixed);
  }
  return hex(toward);
}

/** The color of a filled button: a saturated color on which white is nearly legible is darkened until it is, since white text is usual there. */
export function fillOf(color: string): string {
  const parsed = parse(color);
  return parsed && contrast([255, 255, 255], parsed) >= 3 ? readable(color, '#ffffff') : color;
}

/** White or near-black, whichever has more contrast on `color`. */
export function textOn(color: string): string {
  const behind = parse(color);
  if (!behind) return '#ffffff';
  // White is preferred while legible: colored buttons with black text look disabled.
  return contrast([255, 255, 255], behind) >= 4.5 ? '#ffffff' : '#0b0d11';
}

export function isColor(text: string | undefined): text is string {
  return text !== undefined && parse(text) !== null;
}

type Rgb = [number, number, number];

function parse(color: string): Rgb | null {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(color.trim())?.[1];
  if (!digits || digits.length === 5 || digits.length === 7) return null;
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}

function hex(rgb: Rgb): string {
  return '#' + rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('');
}

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
