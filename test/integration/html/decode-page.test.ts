import { describe, expect, test } from 'vitest';
import { isPageText, pageText } from '../../../integration/html/decode-page.ts';

/** Text with bytes between: `bytes('caf', [0xe9])`. */
function bytes(...parts: (string | number[])[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a page in another encoding is read, and then declares UTF-8', () => {
  test.each<[string, Uint8Array, string]>([
    [
      'windows-1252',
      bytes('<meta charset="windows-1252"><p>caf', [0xe9, 0x20, 0x93], 'x', [0x94, 0x20, 0x80]),
      '<meta charset="utf-8"><p>café “x” €',
    ],
    ['iso-8859-1, which is read as windows-1252', bytes('<META CHARSET=ISO-8859-1><p>', [0x92]), '<META CHARSET=utf-8><p>’'],
    ['koi8-r', bytes("<meta charset='koi8-r'><p>", [0xed, 0xc9, 0xd2]), "<meta charset='utf-8'><p>Мир"],
    [
      'Shift_JIS, by http-equiv, with its title before',
      bytes(
        '<title>',
        [0x93, 0xfa, 0x96, 0x7b],
        '</title><meta content="text/html; charset=Shift_JIS" http-equiv="Content-Type">',
      ),
      '<title>日本</title><meta content="text/html; charset=utf-8" http-equiv="Content-Type">',
    ],
    ['x-sjis', bytes('<meta charset=x-sjis>', [0x83, 0x5c]), '<meta charset=utf-8>ソ'],
    ['EUC-JP', bytes('<meta charset=euc-jp>', [0xc6, 0xfc, 0xcb, 0xdc]), '<meta charset=utf-8>日本'],
    [
      'ISO-2022-JP, whose bytes are all ASCII',
      bytes('<meta charset=iso-2022-jp>', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42], '.'),
      '<meta charset=utf-8>日本.',
    ],
    ['gb18030', bytes('<meta charset=gb18030>', [0xd6, 0xd0, 0xce, 0xc4, 0x94, 0x39, 0xda, 0x33]), '<meta charset=utf-8>中文💩'],
    ['gb2312', bytes('<meta charset="gb2312">', [0xd6, 0xd0]), '<meta charset="utf-8">中'],
    ['Big5', bytes('<meta charset=big5>', [0xa4, 0xa4]), '<meta charset=utf-8>中'],
    ['EUC-KR', bytes('<meta charset=euc-kr>', [0xc7, 0xd1]), '<meta charset=utf-8>한'],
    [
      'an XML declaration',
      bytes('<?xml version="1.0" encoding="iso-8859-15"?><p>', [0xa4]),
      '<?xml version="1.0" encoding="utf-8"?><p>€',
    ],
    [
      'several declarations, of which the first decides',
      bytes(
        '<?xml version="1.0" encoding="big5"?><meta charset="koi8-r"><meta http-equiv=content-type content="text/html;charset=big5">',
        [0xed],
      ),
      '<?xml version="1.0" encoding="utf-8"?><meta charset="utf-8"><meta http-equiv=content-type content="text/html;charset=utf-8">М',
    ],
    [
      'a declaration in a comment is none',
      bytes('<!-- <meta charset=big5> --><meta charset=koi8-r>', [0xed]),
      '<!-- <meta charset=big5> --><meta charset=utf-8>М',
    ],
    ['UTF-16, little end first', utf16('<meta charset="utf-16"><p>日本'), '\ufeff<meta charset="utf-8"><p>日本'],
    ['UTF-16, big end first', utf16('<p>日本').swap16(), '\ufeff<p>日本'],
    ['UTF-16 in spite of what it says', utf16('<meta charset="big5">é'), '\ufeff<meta charset="utf-8">é'],
  ])('%s', (_, given, expected) => {
    expect(pageText(given)).toBe(expected);
    expect(isPageText(given)).toBe(true);
  });
});

describe('UTF-8 is read unchanged', () => {
  test.each([
    ['plain', '<!doctype html><meta charset="utf-8"><p>日本 café'],
    ['without a declaration', '<p>日本 café'],
    ['with a byte order mark', '\ufeff<p>日本'],
    ['by another name of it', '<META CHARSET="UTF8"><p>é'],
    ['an empty file', ''],
    ['a declaration in the text', `<meta charset="utf-8">${'x'.repeat(1100)}<code><meta charset="big5"></code>`],
    ['a declaration that nobody knows, shown as code', '<p>&lt;meta charset="klingon"&gt; é'],
    ['a terminal’s escape', '<p>\u001b[1mé'],
  ])('%s', (_, text) => {
    expect(pageText(Buffer.from(text))).toBe(text);
    // Also where it is a part of a larger buffer.
    const larger = Buffer.from(`\0${text}\0`);
    expect(pageText(new Uint8Array(larger.buffer, larger.byteOffset + 1, larger.length - 2))).toBe(text);
  });

  test.each([
    ['by a host that says so in a header', '<meta charset="iso-8859-1"><p>café', '<meta charset="utf-8"><p>café'],
    ['with a name that nobody knows', '<meta charset="klingon"><p>café', '<meta charset="utf-8"><p>café'],
    ['with UTF-16 named in bytes that are none', '<meta charset="utf-16"><p>café', '<meta charset="utf-8"><p>café'],
    ['in ASCII', '<meta charset="us-ascii"><p>cafe', '<meta charset="utf-8"><p>cafe'],
  ])('although the page names another encoding: %s', (_, text, expected) => {
    expect(pageText(Buffer.from(text))).toBe(expected);
  });
});

describe('a file that is not text has no text', () => {
  test.each<[string, Uint8Array]>([
    ['a picture', bytes([0x89], 'PNG', [0, 1, 2, 3])],
    ['a picture that begins as a page', bytes('<meta charset="windows-1252">', [0, 0xe9])],
    ['bytes above ASCII without a declaration', bytes('<p>caf', [0xe9])],
    ['bytes that are not in the encoding that they name', bytes('<meta charset="shift_jis">', [0x93, 0x22])],
    ['not in UTF-8, which they name', bytes('<meta charset="utf-8">', [0xe9])],
    ['an encoding that nobody knows', bytes('<meta charset="klingon">', [0xe9])],
    ['one that no browser reads', bytes('<meta charset="iso-2022-kr">', [0xe9])],
    ['UTF-16 named in bytes that are none', bytes('<meta charset="utf-16">', [0xe9])],
    ['half a character of UTF-16', bytes([0xff, 0xfe, 0x3d, 0xd8])],
    ['a declaration that comes too late', bytes(`<title>${'x'.repeat(1100)}</title><meta charset="koi8-r">`, [0xed])],
  ])('%s', (_, given) => {
    expect(pageText(given)).toBeUndefined();
    expect(isPageText(given)).toBe(false);
  });
});
