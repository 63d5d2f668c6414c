import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Where studio keeps its files: the XDG folders, or all of them under STUDIO_HOME. */
export interface Paths {
  data: string
  config: string
  state: string
}

export function resolvePaths(env: NodeJS.ProcessEnv): Paths {
  const home = env['STUDIO_HOME']
  if (home) return { data: home, config: home, state: join(home, 'state') }
  if (process.platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local')
    return { data: join(local, 'studio'), config: join(local, 'studio'), state: join(local, 'studio', 'state') }
  }
  return {
    data: join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'studio'),
    config: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'studio'),
    state: join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'studio'),
  }
}

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
