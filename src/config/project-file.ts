import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The `studio.config.json` of the folder, or of the nearest one above it that has one. */
export function nearestProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, 'studio.config.json')
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return null
  }
}
