import { assetText, type ExportAsset } from '../page/asset.ts';

/** `sitemap.xml` over absolute addresses; of more than 50,000 (the limit of the protocol) the first are listed. */
export function sitemap(addresses: string[]): string {
  const entries = addresses.slice(0, 50_000).map((address) => `<url><loc>${escapeXml(address)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}

/** `robots.txt` that names the sitemaps, by their whole addresses. */
export function robots(sitemaps: string[]): string {
  return `User-agent: *\nAllow: /\n\n${sitemaps.map((address) => `Sitemap: ${address}\n`).join('')}`;
}

/**
 * Paths of the sitemaps that a site brings: the indexes of them, or where it has none, every one. They know more than ours (when a page
 * changed, its other languages, what the author left out), and pages name them.
 */
export function ownSitemaps(assets: ExportAsset[]): string[] {
  const named = assets
    .filter(({ path }) => /^[^/]*sitemap[^/]*\.xml$/i.test(path))
    .map((asset) => ({ path: asset.path, text: assetText(asset) }));
  const withRoot = (element: string) => named.filter(({ text }) => text.includes(`<${element}`)).map(({ path }) => path);
  const indexes = withRoot('sitemapindex');
  return indexes.length > 0 ? indexes : withRoot('urlset');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
