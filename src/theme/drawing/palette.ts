// The colors that Mermaid calculates with, and the properties of the theme's stylesheet that take their places in a drawing.

/** Colors that no author is likely to write, by the property that they stand for. */
const placeholders = {
  background: '#fefdfe',
  surface: '#f6f7f8',
  'border-strong': '#ced3da',
  heading: '#10131b',
  muted: '#5c6473',
} as const;

/** The same for calculations on a dark page. */
const darkPlaceholders: Record<keyof typeof placeholders, string> = {
  background: '#0c0d12',
  surface: '#13151c',
  'border-strong': '#373c49',
  heading: '#f1f4f6',
  muted: '#8e97a6',
};

/** Colors of parts that a diagram tells apart: sections, slices, branches, bars. */
const series = {
  light: [
    '#cfe0fb',
    '#cdebd6',
    '#fbe3b5',
    '#f8d0d4',
    '#e2d3f7',
    '#fbd9bf',
    '#c5e9ee',
    '#e6e8b8',
    '#f3cfe6',
    '#d6dbe4',
    '#d3d7fb',
    '#dfead0',
  ],
  dark: [
    '#24406e',
    '#1f5136',
    '#5c4718',
    '#662c34',
    '#46326b',
    '#66401f',
    '#1d4f57',
    '#4d5020',
    '#5e2c4e',
    '#3a4250',
    '#343a73',
    '#3b4a29',
  ],
};

export type Scheme = 'light' | 'dark';

/** `themeVariables` of Mermaid. */
export function themeVariables(scheme: Scheme): Record<string, string | boolean | object> {
  const { background, surface, 'border-strong': border, heading, muted } = scheme === 'light' ? placeholders : darkPlaceholders;
  const colors = series[scheme];
  const numbered = (name: string, from: number, value: (index: number) => string) =>
    Object.fromEntries(colors.map((_, index) => [`${name}${index + from}`, value(index)]));
  return {
    darkMode: scheme === 'dark',
    dropShadow: 'none',
    background,
    fontSize: '14px',
    primaryColor: surface,
    primaryTextColor: heading,
    primaryBorderColor: border,
    secondaryColor: surface,
    secondaryTextColor: heading,
    secondaryBorderColor: border,
    tertiaryColor: background,
    tertiaryTextColor: heading,
    tertiaryBorderColor: border,
    lineColor: muted,
    arrowheadColor: muted,
    textColor: heading,
    titleColor: heading,
    mainBkg: surface,
    nodeBorder: border,
    clusterBkg: background,
    clusterBorder: border,
    edgeLabelBackground: background,
    noteBkgColor: scheme === 'light' ? '#fdf5d6' : '#3a3215',
    noteTextColor: heading,
    noteBorderColor: scheme === 'light' ? '#e5d396' : '#5f5428',
    sectionBkgColor: surface,
    altSectionBkgColor: background,
    sectionBkgColor2: surface,
    gridColor: border,
    taskBkgColor: colors[0]!,
    taskBorderColor: border,
    taskTextColor: heading,
    taskTextDarkColor: heading,
    taskTextLightColor: heading,
    taskTextOutsideColor: heading,
    activeTaskBkgColor: colors[1]!,
    activeTaskBorderColor: border,
    doneTaskBkgColor: colors[9]!,
    doneTaskBorderColor: border,
    critBkgColor: colors[3]!,
    critBorderColor: border,
    activationBkgColor: surface,
    activationBorderColor: border,
    labelBoxBkgColor: surface,
    labelBoxBorderColor: border,
    actorLineColor: border,
    sequenceNumberColor: background,
    altBackground: background,
    compositeBackground: background,
    innerEndBackground: muted,
    pieTitleTextColor: heading,
    pieSectionTextColor: heading,
    pieLegendTextColor: heading,
    pieStrokeColor: background,
    pieOuterStrokeColor: border,
    quadrantPointFill: muted,
    ...numbered('cScale', 0, (index) => colors[index]!),
    ...numbered('cScaleLabel', 0, () => heading),
    ...numbered('cScalePeer', 0, () => border),
    ...numbered('cScaleInv', 0, () => border),
    ...numbered('pie', 1, (index) => colors[index]!),
    ...numbered('git', 0, (index) => colors[index]!),
    ...numbered('gitInv', 0, () => border),
    ...numbered('gitBranchLabel', 0, () => heading),
    ...numbered('fillType', 0, (index) => colors[index]!),
    xyChart: {
      backgroundColor: background,
      titleColor: heading,
      xAxisLabelColor: heading,
      xAxisTitleColor: heading,
      xAxisTickColor: muted,
      xAxisLineColor: muted,
      yAxisLabelColor: heading,
      yAxisTitleColor: heading,
      yAxisTickColor: muted,
      yAxisLineColor: muted,
      plotColorPalette: ['#5b8def', '#3fa66b', '#d19a1e', '#d9606b', '#8f6bd6', '#e0883f'].join(', '),
    },
  };
}

const properties = new Map(
  Object.entries(placeholders).map(([name, color]) => [
    `${color} ${darkPlaceholders[name as keyof typeof placeholders]}`,
    `var(--${name})`,
  ]),
);
const lightProperties = new Map(Object.entries(placeholders).map(([name, color]) => [color as string, `var(--${name})`]));

/** The property of the theme that a color of a light drawing stands for. */
export function themeColor(color: string): string | undefined {
  return lightProperties.get(color);
}

/** One color for light and dark pages. */
export function eitherColor(light: string, dark: string): string {
  return properties.get(`${light} ${dark}`) ?? (light === dark ? light : `light-dark(${light},${dark})`);
}
