import type { Context } from '../../kernel'
import type { Boundary } from '../rules/prompts/boundary'

const CHARACTERS = 24

/** A word for this prompt alone that stands in none of its texts. */
export function createBoundary({ ids }: Pick<Context, 'ids'>, texts: readonly (string | null)[]): Boundary {
  for (;;) {
    const word = ids.secret(CHARACTERS)
    if (!texts.some((text) => text?.includes(word))) return { word }
  }
}
