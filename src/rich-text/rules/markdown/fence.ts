/** Writes a code block between fences that are longer than any run of backticks in it. */
export function writeFence(language: string, value: string): string {
  const longest = value.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  const fence = '`'.repeat(Math.max(longest + 1, 3))
  return `${fence}${language}\n${value}\n${fence}`
}
