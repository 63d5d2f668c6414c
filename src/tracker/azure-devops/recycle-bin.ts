import * as z from 'zod'
import { chunksOf } from '../../kernel/work/chunks'
import { cleanText } from '../services/requests/response-errors'
import { isRefusal } from '../services/requests/tracker-error'
import { parseText } from './field-values'
import type { AdapterParts } from './item-reader'
import { buildProjectPath } from './urls'

const MAX_IDS = 200
const MAX_REQUESTS = 5
const MAX_NAME_LENGTH = 100

/** An ID that is not in the recycle bin may have an entry without a date, or none. */
const WireDeletions = z.object({
  value: z.array(
    z.object({ id: z.int().nullish(), deletedDate: z.string().nullish(), deletedBy: z.unknown() }).nullable(),
  ),
})

/** Says which items are in the recycle bin of the project. Nothing of those that were destroyed, or that the token may not look for. */
export async function explainAbsence(
  ids: readonly number[],
  { client, project }: AdapterParts,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const reasons = new Map<number, string>()
  const path = buildProjectPath(await project.get(signal), '_apis/wit/recyclebin')
  for (const chunk of chunksOf(ids, MAX_IDS).slice(0, MAX_REQUESTS)) {
    const request = { method: 'GET', path, query: { ids: chunk.join(',') } } as const
    const found = await client.read(request, WireDeletions, signal).catch((error: unknown) => {
      if (isRefusal(error)) return null
      throw error
    })
    if (found === null) break
    for (const entry of found.value)
      if (entry?.id != null && entry.deletedDate != null)
        reasons.set(entry.id, describe(entry.deletedDate, entry.deletedBy))
  }
  return reasons
}

function describe(deletedDate: string, deletedBy: unknown): string {
  const [name = ''] = cleanText(parseText(deletedBy)).slice(0, MAX_NAME_LENGTH).split('<')
  const who = name.trim() === '' ? 'Deleted' : `${name.trim()} deleted it`
  return `${who} on ${cleanText(deletedDate).slice(0, 10)}; it is in the recycle bin of the project.`
}
