import * as z from 'zod'
import { cleanWhole } from '../clean-text'

/** A line of text that is not empty once it is clean. */
export function line(most: number) {
  return z
    .string()
    .transform((text) => cleanWhole(text).replace(/\s+/g, ' '))
    .pipe(z.string().min(1).max(most))
}

export function markdown(most: number) {
  return z.string().transform(cleanWhole).pipe(z.string().min(1).max(most))
}
