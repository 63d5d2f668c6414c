import type { Hint } from './hint'

/** The result of one check of `studio doctor`. */
export interface Finding {
  /** The part: `snapshot`, `log`, `schema`. */
  about: string
  level: 'ok' | 'warning' | 'problem'
  message: string
  /** How to fix it; null if there is nothing to fix. */
  fix: Hint | null
}

export function ok(about: string, message: string): Finding {
  return { about, level: 'ok', message, fix: null }
}

export function warning(about: string, message: string, fix: Hint): Finding {
  return { about, level: 'warning', message, fix }
}

export function problem(about: string, message: string, fix: Hint): Finding {
  return { about, level: 'problem', message, fix }
}
