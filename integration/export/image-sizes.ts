// Width and height of images, so that browsers reserve their space.
import { closeSync, openSync, readSync } from 'node:fs';
import { imageSize } from 'image-size';

export interface ImageSize {
  width: number;
  height: number;
}

/** Files of these names are images that it reads. */
export const isSizedImage = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(path);

// A header is in the first bytes; before that of a photo, a camera may have put a preview.
const lengths = [16 * 1024, 1024 * 1024];

/** The size of an image file as browsers show it; undefined for a file that is not an image, or that has no size of its own. */
export function readImageSize(file: string): ImageSize | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    for (const length of lengths) {
      const bytes = Buffer.alloc(length);
      const read = readSync(descriptor, bytes, 0, length, 0);
      const size = sizeOf(bytes.subarray(0, read));
      if (size) return size;
      if (read < length) return undefined;
    }
  } catch {
    // A file that cannot be read has no size; the export reports it where it is copied.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  return undefined;
}

/** The format of an image by its bytes, such as 'jpg', and how many pixels it has; undefined for other files. */
export function imageFactsOf(bytes: Uint8Array): { type: string | undefined; pixels: number } | undefined {
  try {
    const { type, width, height } = imageSize(bytes);
    return { type, pixels: width * height };
  } catch {
    return undefined;
  }
}

function sizeOf(bytes: Uint8Array): ImageSize | undefined {
  try {
    const { width, height, type, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return undefined;
    // Browsers show a drawing without a size of its own as wide as there is room.
    if (
      type === 'svg' &&
      !/^(?:[^<]|<(?!svg\b))*<svg\b[^>]*\swidth\s*=\s*["']?\s*[\d.]+(?:px)?\s*["'\s>]/.test(Buffer.from(bytes).toString())
    )
      return undefined;
    const isTurned = orientation >= 5;
    return { width: Math.round(isTurned ? height : width), height: Math.round(isTurned ? width : height) };
  } catch {
    return undefined;
  }
}

/** The attributes of an image with one or none of width and height; '' if its size is not known. */
export function sizeAttributes(size: ImageSize | undefined, given: { width?: string; height?: string }): string {
  const [width, height] = [given.width, given.height].map((value) => Number.parseInt(value ?? '') || undefined);
  if (!size) return '';
  if (width !== undefined) return `height="${Math.max(1, Math.round((width * size.height) / size.width))}"`;
  if (height !== undefined) return `width="${Math.max(1, Math.round((height * size.width) / size.height))}"`;
  return `width="${size.width}" height="${size.height}"`;
}
