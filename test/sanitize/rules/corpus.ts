import { danger } from './corpus-danger'
import { editors } from './corpus-editors'
import { markdown } from './corpus-markdown'
import type { Fragment } from './fragment'

/** Difficult fragments of long texts, each with the expected result. */
export const corpus: readonly Fragment[] = [...editors, ...danger, ...markdown]
