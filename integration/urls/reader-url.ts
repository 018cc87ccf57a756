/** The human-readable page for a URL that is made for frames. */
export function readerUrl(url: URL): string {
  const { hostname, pathname, href } = url;
  const host = hostname.replace(/^www\./, '');
  const id = pathname.split('/').filter(Boolean).at(-1) ?? '';
  if ((host === 'youtube.com' || host === 'youtube-nocookie.com') && /^\/embed\/[\w-]+$/.test(pathname) && id !== 'videoseries') {
    return `https://www.youtube.com/watch?v=${id}`;
  }
  if (host === 'player.vimeo.com' && pathname.startsWith('/video/')) return `https://vimeo.com/${id}`;
  if (host === 'loom.com') return href.replace('/embed/', '/share/');
  if (/(?:^|\.)dailymotion\.com$/.test(host)) {
    const video = url.searchParams.get('video') ?? id;
    return pathname.startsWith('/embed/video/') || pathname.startsWith('/player')
      ? `https://www.dailymotion.com/video/${video}`
      : href;
  }
  if (/(?:^|\.)wistia\.(?:com|net)$/.test(host) && pathname.startsWith('/embed/iframe/'))
    return `https://home.wistia.com/medias/${id}`;
  if (host === 'streamable.com') return href.replace(/\/[eos]\//, '/');
  if (host === 'codepen.io') return href.replace(/\/embed\/(?:preview\/)?/, '/pen/');
  if (host === 'gist.github.com' || host === 'asciinema.org') return href.replace(/\.js(?=[?#]|$)/, '');
  return href;
}
