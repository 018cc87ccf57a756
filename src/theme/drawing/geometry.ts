// Plane geometry of SVG: matrices of `transform`, boxes, and the points of a path.

/** a, b, c, d, e, f of `matrix(…)`. */
export type Matrix = readonly [number, number, number, number, number, number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Point = readonly [x: number, y: number];

const multiply = ([a, b, c, d, e, f]: Matrix, [a2, b2, c2, d2, e2, f2]: Matrix): Matrix => [
  a * a2 + c * b2,
  b * a2 + d * b2,
  a * c2 + c * d2,
  b * c2 + d * d2,
  a * e2 + c * f2 + e,
  b * e2 + d * f2 + f,
];

/** The matrix of a `transform` attribute: of what Mermaid writes in one. */
export function matrixOf(transform: string | null): Matrix {
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [, name = '', list = ''] of (transform ?? '').matchAll(/(translate|scale|rotate)\s*\(([^)]*)\)/g))
    matrix = multiply(matrix, steps[name]!(...numbersOf(list)));
  return matrix;
}

const steps: Record<string, (...numbers: number[]) => Matrix> = {
  translate: (x = 0, y = 0) => [1, 0, 0, 1, x, y],
  scale: (x = 0, y = x) => [x, 0, 0, y, 0, 0],
  rotate(degrees = 0, x = 0, y = 0) {
    const angle = (degrees * Math.PI) / 180;
    const turned: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
    return multiply(multiply([1, 0, 0, 1, x, y], turned), [1, 0, 0, 1, -x, -y]);
  },
};

/** The box around a transformed box. */
export function transformedBox({ x, y, width, height }: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners: Point[] = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ];
  return boxAround(corners.map(([px, py]) => [a * px + c * py + e, b * px + d * py + f]))!;
}

export function boxAround(points: readonly Point[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return Number.isFinite(left + top + right + bottom)
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : undefined;
}

export function union(boxes: readonly Box[]): Box | undefined {
  return boxAround(
    boxes.flatMap(({ x, y, width, height }): Point[] => [
      [x, y],
      [x + width, y + height],
    ]),
  );
}

export function numbersOf(text: string): number[] {
  return (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
}

/** Numbers that each command of a path takes. */
const arity: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
const curveSteps = 12;

/** Points along a path, curves as short lines. */
export function pathPoints(path: string): Point[] {
  const points: Point[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  /** The last control point, which `S` and `T` mirror. */
  let control: Point = [0, 0];
  for (const [, letter = '', list = ''] of path.matchAll(/([mlhvcsqtaz])([^mlhvcsqtaz]*)/gi)) {
    const numbers = letter.toLowerCase() === 'a' ? arcNumbers(list) : numbersOf(list);
    const name = letter.toLowerCase();
    const size = arity[name]!;
    for (let at = 0; at === 0 || (size > 0 && at + size <= numbers.length); at += Math.max(size, 1)) {
      const given = numbers.slice(at, at + size);
      if (given.length < size) break;
      const isRelative = letter === name;
      const absolute = (index: number): number => given[index]! + (isRelative ? (index % 2 === 0 ? x : y) : 0);
      let end: Point = [x, y];
      const from: Point = [x, y];
      if (name === 'z') end = [startX, startY];
      else if (name === 'h') end = [absolute(0), y];
      else if (name === 'v') end = [x, given[0]! + (isRelative ? y : 0)];
      else if (name === 'a') end = [given[5]! + (isRelative ? x : 0), given[6]! + (isRelative ? y : 0)];
      else end = [absolute(size - 2), absolute(size - 1)];
      if (name === 'c' || name === 's') {
        const first: Point = name === 'c' ? [absolute(0), absolute(1)] : [2 * x - control[0], 2 * y - control[1]];
        const second: Point = name === 'c' ? [absolute(2), absolute(3)] : [absolute(0), absolute(1)];
        points.push(...along((t) => cubic(from, first, second, end, t)));
        control = second;
      } else if (name === 'q' || name === 't') {
        const middle: Point = name === 'q' ? [absolute(0), absolute(1)] : [2 * x - control[0], 2 * y - control[1]];
        points.push(...along((t) => cubic(from, middle, middle, end, t)));
        control = middle;
      } else {
        if (name === 'a') points.push(...arcPoints(from, end, given));
        points.push(end);
        control = end;
      }
      [x, y] = end;
      if (name === 'm' && at === 0) [startX, startY] = end;
    }
  }
  return points;
}

/** The flags of an arc may stand without a space between them. */
function arcNumbers(list: string): number[] {
  const number = /\s*,?\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/iy;
  const flag = /\s*,?\s*([01])/y;
  const numbers: number[] = [];
  for (let at = 0; ;) {
    const pattern = numbers.length % 7 === 3 || numbers.length % 7 === 4 ? flag : number;
    pattern.lastIndex = at;
    const found = pattern.exec(list);
    if (!found) return numbers;
    numbers.push(Number(found[1]));
    at = pattern.lastIndex;
  }
}

function along(point: (t: number) => Point): Point[] {
  return Array.from({ length: curveSteps }, (_, index) => point((index + 1) / curveSteps));
}

function cubic(p0: Point, p1: Point, p2: Point, p3: Point, t: number): Point {
  const s = 1 - t;
  const mix = (i: 0 | 1) => s * s * s * p0[i] + 3 * s * s * t * p1[i] + 3 * s * t * t * p2[i] + t * t * t * p3[i];
  return [mix(0), mix(1)];
}

/** https://www.w3.org/TR/SVG2/implnote.html#ArcConversionEndpointToCenter */
function arcPoints([x1, y1]: Point, [x2, y2]: Point, [width = 0, height = 0, degrees = 0, large, sweep]: number[]): Point[] {
  let [rx, ry] = [Math.abs(width), Math.abs(height)];
  if (rx === 0 || ry === 0 || (x1 === x2 && y1 === y2)) return [];
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [dx, dy] = [(x1 - x2) / 2, (y1 - y2) / 2];
  const [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const stretch = Math.sqrt((px / rx) ** 2 + (py / ry) ** 2);
  if (stretch > 1) [rx, ry] = [rx * stretch, ry * stretch];
  const bottom = (rx * py) ** 2 + (ry * px) ** 2;
  const factor = Math.sqrt(Math.max(0, ((rx * ry) ** 2 - bottom) / bottom)) * (large === sweep ? -1 : 1);
  const [cx, cy] = [(factor * rx * py) / ry, (-factor * ry * px) / rx];
  const [centerX, centerY] = [cos * cx - sin * cy + (x1 + x2) / 2, sin * cx + cos * cy + (y1 + y2) / 2];
  const start = Math.atan2((py - cy) / ry, (px - cx) / rx);
  let turn = Math.atan2((-py - cy) / ry, (-px - cx) / rx) - start;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;
  return along((t) => {
    const [ex, ey] = [rx * Math.cos(start + t * turn), ry * Math.sin(start + t * turn)];
    return [centerX + cos * ex - sin * ey, centerY + sin * ex + cos * ey];
  });
}
