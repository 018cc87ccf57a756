/** The browser and the system of a `User-Agent`: 'Firefox on Linux'. Of a program, its name: 'curl/8.5.0'. */
export function shortUserAgent(header: string | undefined): string {
  const agent = header ?? '';
  const find = (names: [sign: RegExp, name: string][]) => names.find(([sign]) => sign.test(agent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return /^[\w.+-]+(?:\/[\w.+-]+)?/.exec(agent)?.[0].slice(0, 60) ?? 'unknown';
}

// Most browsers also name those whose pages they want to be given, so the more special name comes first.
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
