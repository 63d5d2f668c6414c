import { danger } from './corpus-danger'
import { editors } from './corpus-editors'
import { markdown } from './corpus-markdown'
import type { Fragment } from './fragment'

/** Nasty fragments of long texts, each with what must and must not be left of it. */
export const corpus: readonly Fragment[] = [...editors, ...danger, ...markdown]
