import type { OfferedDownload } from '../../integration/export/site-files.ts';
import { element } from '../../integration/reader/shared/elements.ts';
import { adoptPageStyle } from '../../integration/reader/shared/style.ts';
import { carrelFolder, load } from '../../integration/reader/shared/loader.ts';

/** Links to what the site offers of itself as one file, with their sizes. */
class Downloads extends HTMLElement {
  async connectedCallback() {
    const all = await load<OfferedDownload[]>('downloads.js');
    const formats = this.dataset['carrelFormats']!.split(' ');
    const downloads = formats.flatMap((format) => all.filter((one) => one.format === format));
    const sizeOf = (bytes: number) => {
      const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
      return value.toLocaleString(document.documentElement.lang, {
        style: 'unit',
        unit,
        maximumFractionDigits: value < 10 ? 1 : 0,
      });
    };
    const name = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? 'docs';
    for (const [index, { format, file, size }] of downloads.entries()) {
      const { href } = new URL(file, carrelFolder);
      this.append(
        index > 0 ? ' · ' : '',
        element('a', { href, download: `${name}.${format}` }, format.toUpperCase()),
        ` ${sizeOf(size)}`,
      );
    }
    this.hidden = downloads.length === 0;
    adoptPageStyle('@media print { carrel-downloads { display: none !important } }');
  }
}

customElements.define('carrel-downloads', Downloads);
