declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    /** Null with `keepAllGlyphs`. */
    text: string | null,
    options: {
      targetFormat: 'woff2';
      keepAllGlyphs?: boolean;
      variationAxes?: Record<string, number | { min: number; max: number; default?: number }>;
    },
  ): Promise<Buffer>;
}
