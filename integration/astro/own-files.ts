// What a build of our own theme leaves for its export besides pages and assets.

/** Pages in this folder list entries of the navigation; they are part of no list of pages. */
export const listFolder = '_carrel/pages/';

/** The whole sidebars that pages carry a part of: JSON pairs of key and `NavigationData`. */
export const navigationsFile = '_carrel/navigations.json';
