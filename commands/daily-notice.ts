import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolvePaths } from '../src/config'

/**
 * Whether a notice is due that is shown once a day for each home: true for the first caller of a day, who then shows it.
 * Where the day cannot be stored, the notice is shown again rather than never.
 */
export function takeDailyNotice(name: string, env: NodeJS.ProcessEnv, now = new Date()): boolean {
  const { state } = resolvePaths(env)
  const file = join(state, `${name}-notice-day`)
  const day = now.toISOString().slice(0, 10)
  try {
    if (readFileSync(file, 'utf8').trim() === day) return false
  } catch {
    // No notice was shown from this home yet.
  }
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    writeFileSync(file, `${day}\n`, { mode: 0o600 })
  } catch {
    // The home is read-only.
  }
  return true
}
