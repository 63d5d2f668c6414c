import { join } from 'node:path'

/** The path of a program of Windows. By its name alone, a program of that name in the current folder would run. */
export function getWindowsProgram(name: string): string {
  return join(process.env['SystemRoot'] || 'C:\\Windows', 'System32', name)
}
