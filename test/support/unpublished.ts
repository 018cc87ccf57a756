/** Beginnings of the paths of sources that no published package carries: they compile the theme and the reader's scripts, and build the manual. */
export const unpublished = {
  src: ['elements', 'theme/adapter', 'theme/build', 'theme/entry', 'docs-folder', 'static-paths'],
  integration: ['reader-build/build-reader-scripts', 'reader-build/bundle'],
  server: [],
};
