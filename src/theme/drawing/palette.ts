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
  light: '#cfe0fb #cdebd6 #fbe3b5 #f8d0d4 #e2d3f7 #fbd9bf #c5e9ee #e6e8b8 #f3cfe6 #d6dbe4 #d3d7fb #dfead0'.split(' '),
  dark: '#24406e #1f5136 #5c4718 #662c34 #46326b #66401f #1d4f57 #4d5020 #5e2c4e #3a4250 #343a73 #3b4a29'.split(' '),
};

export type Scheme = 'light' | 'dark';

/** The variables of Mermaid's themes by the color that they have. */
const variables: Record<keyof typeof placeholders, string> = {
  background: `background tertiaryColor clusterBkg edgeLabelBackground altSectionBkgColor sequenceNumberColor altBackground compositeBackground
    pieStrokeColor`,
  surface: `primaryColor secondaryColor mainBkg sectionBkgColor sectionBkgColor2 activationBkgColor labelBoxBkgColor`,
  'border-strong': `primaryBorderColor secondaryBorderColor tertiaryBorderColor nodeBorder clusterBorder gridColor taskBorderColor
    activeTaskBorderColor doneTaskBorderColor critBorderColor activationBorderColor labelBoxBorderColor actorLineColor pieOuterStrokeColor`,
  heading: `primaryTextColor secondaryTextColor tertiaryTextColor textColor titleColor noteTextColor taskTextColor taskTextDarkColor
    taskTextLightColor taskTextOutsideColor pieTitleTextColor pieSectionTextColor pieLegendTextColor`,
  muted: 'lineColor arrowheadColor innerEndBackground quadrantPointFill',
};
const chartVariables: typeof variables = {
  background: 'backgroundColor',
  surface: '',
  'border-strong': '',
  heading: 'titleColor xAxisLabelColor xAxisTitleColor yAxisLabelColor yAxisTitleColor',
  muted: 'xAxisTickColor xAxisLineColor yAxisTickColor yAxisLineColor',
};

/** `themeVariables` of Mermaid. */
export function themeVariables(scheme: Scheme): Record<string, string | boolean | object> {
  const palette: Record<string, string> = scheme === 'light' ? placeholders : darkPlaceholders;
  const { 'border-strong': border, heading } = scheme === 'light' ? placeholders : darkPlaceholders;
  const colors = series[scheme];
  const colored = (names: typeof variables) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([color, list]) => list.split(/\s+/).map((name) => [name, palette[color]!] as const)),
    );
  const numbered = (name: string, from: number, value: (index: number) => string) =>
    Object.fromEntries(colors.map((_, index) => [`${name}${index + from}`, value(index)]));
  return {
    ...colored(variables),
    darkMode: scheme === 'dark',
    dropShadow: 'none',
    fontSize: '14px',
    noteBkgColor: scheme === 'light' ? '#fdf5d6' : '#3a3215',
    noteBorderColor: scheme === 'light' ? '#e5d396' : '#5f5428',
    taskBkgColor: colors[0]!,
    activeTaskBkgColor: colors[1]!,
    doneTaskBkgColor: colors[9]!,
    critBkgColor: colors[3]!,
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
      ...colored(chartVariables),
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
