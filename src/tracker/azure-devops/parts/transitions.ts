import { equalsIgnoringCase } from '../../../kernel/text/text'
import { nullOnTrackerError } from '../../services/change-result'
import { mapConcurrently } from '../../services/requests/map-concurrently'
import type { ItemTransition, TransitionReader } from '../../tracker'
import { fieldNames } from '../field-values'
import type { AdapterParts } from '../item-reader'
import { parseRuleErrors } from '../response-error'
import { createPatchOperation, PATCH_CONTENT_TYPE } from '../update-requests'

/** A type lists which state may follow which. What a state requires is in the rules of the process, which only a change meets. */
export function createTransitionReader({ client, metadata, reader }: AdapterParts): TransitionReader {
  /** Lets the tracker check a step without making it. Null if a rule forbids it. */
  async function findRequired(itemId: number, type: string, state: string, signal: AbortSignal) {
    const request = {
      method: 'PATCH',
      path: `/_apis/wit/workitems/${itemId}`,
      query: { validateOnly: 'true' },
      contentType: PATCH_CONTENT_TYPE,
      body: [createPatchOperation(fieldNames.state, state)],
    } as const
    // A token that may not change the item sees the steps without what they require.
    const checked = await nullOnTrackerError(client.readAny(request, signal))
    const broken = checked?.status === 400 ? parseRuleErrors(checked.json) : []
    if (broken.some(({ referenceName }) => equalsIgnoringCase(referenceName, fieldNames.state))) return null
    const missing = broken.filter(({ isMissing }) => isMissing).map(({ referenceName }) => referenceName)
    const { fields } = missing.length === 0 ? { fields: [] } : await metadata.process([], signal)
    return mapConcurrently(missing, { limit: client.limits.maxConcurrent, signal }, async (referenceName, signal) => ({
      referenceName,
      name: fields.find((field) => field.referenceName === referenceName)?.name ?? referenceName,
      allowedValues: await metadata.listAllowedValues(type, referenceName, signal),
    }))
  }

  return {
    async list(itemId, signal) {
      const { type, state: present } = await reader.readItem(itemId, signal)
      const [states, { categoryOf }] = await Promise.all([
        metadata.listTransitions(type, present, signal),
        metadata.forItems([type], signal),
      ])
      const bounds = { limit: client.limits.maxConcurrent, signal }
      const steps = await mapConcurrently(states, bounds, async (state, signal): Promise<ItemTransition[]> => {
        const required = await findRequired(itemId, type, state, signal)
        return required === null ? [] : [{ state, category: categoryOf(type, state), name: null, required }]
      })
      return steps.flat()
    },
  }
}
