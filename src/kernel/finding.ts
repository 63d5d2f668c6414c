import type { Hint } from './hint'

/** What a check-up found out about one part of studio. */
export interface Finding {
  /** The part: `snapshot`, `log`, `schema`. */
  about: string
  level: 'ok' | 'warning' | 'problem'
  message: string
  /** How to fix it; null where there is nothing to fix. */
  mend: Hint | null
}

export function ok(about: string, message: string): Finding {
  return { about, level: 'ok', message, mend: null }
}

export function warning(about: string, message: string, mend: Hint): Finding {
  return { about, level: 'warning', message, mend }
}

export function problem(about: string, message: string, mend: Hint): Finding {
  return { about, level: 'problem', message, mend }
}
