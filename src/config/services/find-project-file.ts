import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * The `studio.config.json` of the folder, or of the nearest one above it that has one. The search stops at a file that another user owns:
 * in a folder that others can write to, anyone could leave one.
 */
export function findProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, 'studio.config.json')
    const found = statOrNull(candidate)
    if (found) return process.getuid && found.uid !== process.getuid() ? null : candidate
    if (dirname(folder) === folder) return null
  }
}

function statOrNull(path: string): { uid: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
