/** Properties of shapes and text that a drawing keeps; those of the first list are inherited. */
export const inheritedProperties =
  `fill fill-opacity fill-rule stroke stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
stroke-opacity font-size font-weight font-style text-anchor dominant-baseline visibility color letter-spacing writing-mode`.split(
    /\s+/,
  );

export const ownProperties = 'opacity display alignment-baseline stop-color stop-opacity text-decoration mix-blend-mode'.split(
  ' ',
);

export const cssProperties: ReadonlySet<string> = new Set([...inheritedProperties, ...ownProperties]);
