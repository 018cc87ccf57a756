// The package's own declarations import files without their extensions.
declare module 'khroma' {
  export function alpha(color: string): number;
  export function luminance(color: string): number;
}
