// Hosts of videos that tell the image of a video on request: https://oembed.com

const endpoints: [host: RegExp, endpoint: string][] = [
  [/^(?:player\.)?vimeo\.com$/, 'https://vimeo.com/api/oembed.json'],
  [/^(?:www\.)?loom\.com$/, 'https://www.loom.com/v1/oembed'],
  [/^(?:[\w-]+\.)?wistia\.(?:com|net)$/, 'https://fast.wistia.com/oembed'],
  [/^(?:(?:www|geo)\.)?dailymotion\.com$/, 'https://www.dailymotion.com/services/oembed'],
  [/^(?:www\.)?streamable\.com$/, 'https://api.streamable.com/oembed.json'],
];

/** URL that describes a video; undefined for a page from an external origin. */
export function oembedUrl(page: string): string | undefined {
  const url = URL.parse(page);
  const endpoint = url ? endpoints.find(([host]) => host.test(url.hostname))?.[1] : undefined;
  return endpoint && `${endpoint}?${new URLSearchParams({ format: 'json', url: page })}`;
}

export function isOembedUrl({ origin, pathname }: URL): boolean {
  return endpoints.some(([, endpoint]) => endpoint === origin + pathname);
}

/** URL of the image in a description. Throws an `Error` that says what it is not, as the end of a sentence. */
export function thumbnailOf(description: Uint8Array): URL {
  let given: unknown;
  try {
    given = (JSON.parse(new TextDecoder().decode(description)) as { thumbnail_url?: unknown } | null)?.thumbnail_url;
  } catch {
    throw new Error('its description is not JSON');
  }
  const url = typeof given === 'string' ? URL.parse(given) : null;
  if (url?.protocol !== 'https:') throw new Error('its description names no image');
  return url;
}
