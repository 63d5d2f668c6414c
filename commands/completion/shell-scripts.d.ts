/** A file as text: vitest and the bundler read it when the import ends in `?raw`. */
declare module '*?raw' {
  const text: string
  export default text
}
