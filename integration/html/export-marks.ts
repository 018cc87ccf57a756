// Attributes of our own theme that the export replaces.

/** Of an `<img>` whose missing width and height are read from its file. */
export const sizeMark = 'data-carrel-size';

/** Of an `<img>` for a video: the URL that describes the video. It becomes the `src` of a vendored image, or else the element is removed. */
export const posterMark = 'data-carrel-oembed';
