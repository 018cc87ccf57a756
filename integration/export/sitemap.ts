/** `sitemap.xml` over absolute addresses; of more than 50,000 (the limit of the protocol) the first are listed. */
export function sitemap(addresses: string[]): string {
  const entries = addresses.slice(0, 50_000).map((address) => `<url><loc>${escapeXml(address)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}

/** `robots.txt` that names the sitemap. */
export function robots(siteUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}sitemap.xml\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
