/** What components use without an import: https://mintlify.com/docs, and what React has besides. */
export const hooks = [
  'useState',
  'useEffect',
  'useRef',
  'useCallback',
  'useMemo',
  'useContext',
  'useReducer',
  'useId',
  'useLayoutEffect',
  'createContext',
  'Fragment',
  'memo',
  'forwardRef',
];
