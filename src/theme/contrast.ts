// Contrast as WCAG 2.2 defines it: (L1 + 0.05) / (L2 + 0.05) of relative luminances.

/** The color itself, or the nearest lighter or darker shade with enough contrast on `background` (4.5:1). Values that are not hex colors stay unchanged. */
export function readable(color: string, background: string, ratio = 4.5): string {
  const from = parse(color);
  const behind = parse(background);
  if (!from || !behind || contrast(from, behind) >= ratio) return color;
  const towards: Rgb = luminance(behind) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 1; step < 40; step++) {
    const mixed = from.map((channel, index) => Math.round(channel + ((towards[index]! - channel) * step) / 40)) as Rgb;
    if (contrast(mixed, behind) >= ratio) return hex(mixed);
  }
  return hex(towards);
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
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16)) as Rgb;
}

function hex(rgb: Rgb): string {
  return '#' + rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('');
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
