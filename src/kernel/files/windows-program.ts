/** The path of a program of Windows. By its name alone, a program of that name in the current folder would run. */
export function getWindowsProgram(name: string): string {
  return `${process.env['SystemRoot'] || 'C:\\Windows'}\\System32\\${name}`
}
