// The one check of URLs that authors write: in text, frontmatter, configuration and specifications.

/** Besides web pages, protocols that open a program; none of them runs a script in the page. */
const protocols = new Set(
  `http https mailto tel sms ftp ftps irc ircs xmpp geo matrix magnet git ssh slack discord vscode vscode-insiders cursor windsurf zed
  jetbrains claude goose lmstudio raycast spotify steam obsidian figma`.split(/\s+/),
);

// Browsers ignore control characters and white space in a scheme.
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/** The URL without white space around it, or undefined when it is not safe. */
export function safeUrl(url: string, allow: { data?: boolean; web?: boolean } = {}): string | undefined {
  const bare = url.replace(ignored, '');
  // Browsers read a backslash as a slash: such a URL, or what it becomes from the root of the site, names a host or, when the page is
  // opened from disk, a network folder.
  if (/^\/?\\/.test(bare)) return undefined;
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1]?.toLowerCase();
  if (allow.web) return scheme === 'http' || scheme === 'https' || bare.startsWith('//') ? url.trim() : undefined;
  if (scheme === undefined) return url.trim();
  if (scheme === 'data')
    return allow.data && /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|svg\+xml)[;,]/i.test(bare) ? bare : undefined;
  // Browsers read a scheme even in a path such as `12:30` or `foo:bar`.
  return protocols.has(scheme) ? url.trim() : undefined;
}
