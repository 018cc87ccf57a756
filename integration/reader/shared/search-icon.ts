/** The drawing of search: path data of a line on a field of 24 by 24. */
export const searchIcon = 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20.5 20.5 16 16';
