import * as z from 'zod'

/** What a check-up has found about one part of studio. */
export const Finding = z.object({
  about: z.string().describe('The part that was looked at: `snapshot`, `log`, `schema`'),
  level: z.enum(['ok', 'warning', 'problem']),
  message: z.string(),
  mend: z.string().nullable().describe('What to do about it; null where there is nothing to do'),
})
export type Finding = z.infer<typeof Finding>

export function ok(about: string, message: string): Finding {
  return { about, level: 'ok', message, mend: null }
}

export function warning(about: string, message: string, mend: string): Finding {
  return { about, level: 'warning', message, mend }
}

export function problem(about: string, message: string, mend: string): Finding {
  return { about, level: 'problem', message, mend }
}
