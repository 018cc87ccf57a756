/** What components use without an import: https://mintlify.com/docs, and what React has besides. */
export const hooks =
  'useState useEffect useRef useCallback useMemo useContext useReducer useId useLayoutEffect createContext Fragment memo forwardRef'.split(
    ' ',
  );

/** The built-in components that components of the docs use without an import. */
export const builtIns = [
  ...['Accordion', 'AccordionGroup', 'Badge', 'Callout', 'Card', 'CardGroup', 'Check', 'CodeBlock', 'CodeGroup', 'Column'],
  ...['Columns', 'Danger', 'Expandable', 'Frame', 'Icon', 'Info', 'Note', 'Panel', 'ParamField', 'ResponseField', 'Snippet'],
  ...['Step', 'Steps', 'Tab', 'Tabs', 'Tile', 'Tip', 'Tooltip', 'Warning'],
] as const;
