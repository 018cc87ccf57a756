import { expect, test } from 'vitest';
import { readerUrl } from '../../../integration/urls/reader-url.ts';

test.each([
  ['https://www.youtube.com/embed/a1b2', 'https://www.youtube.com/watch?v=a1b2'],
  ['https://player.vimeo.com/video/76979871?h=1', 'https://vimeo.com/76979871'],
  ['https://www.loom.com/embed/1f2e', 'https://www.loom.com/share/1f2e'],
  ['https://www.dailymotion.com/embed/video/x8', 'https://www.dailymotion.com/video/x8'],
  ['https://geo.dailymotion.com/player.html?video=x8', 'https://www.dailymotion.com/video/x8'],
  ['https://fast.wistia.net/embed/iframe/ab1', 'https://home.wistia.com/medias/ab1'],
  ['https://streamable.com/e/ab1', 'https://streamable.com/ab1'],
  ['https://codepen.io/x/embed/preview/y', 'https://codepen.io/x/pen/y'],
  ['https://example.com/embed/video/x', 'https://example.com/embed/video/x'],
])('the page of %s is %s', (frame, page) => {
  expect(readerUrl(new URL(frame))).toBe(page);
});
