import type { z } from 'zod'
import type { getDraft } from '../../src/drafts/operations/get-draft'
import { formatDraftFile } from '../../src/drafts/rules/draft-file'
import { type Canvas, printable } from '../layout'

/** As `draft save --file` reads it; a terminal is spared what it would obey. */
export function renderDraftFile(draft: z.infer<typeof getDraft.output>, { width }: Canvas): string {
  return width === null ? formatDraftFile(draft) : printable(formatDraftFile(draft))
}
