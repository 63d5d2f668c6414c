import { homedir } from 'node:os'
import { join } from 'node:path'

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
