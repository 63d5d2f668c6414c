import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { renameMissing } from '../../services/requests/tracker-error'
import type { ItemTransition, TransitionReader } from '../../tracker'
import { describeMissing, type WriteParts } from '../issue-reader'
import type { JiraClient } from '../jira-client'
import { findCategory } from '../levels-and-states'
import type { WireIssue } from '../map-issue'
import { type ScreenField, toScreenFields, WireScreen } from '../screen-fields'
import { toFieldName } from '../site-fields'

const WireTransitions = z.object({
  transitions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      to: z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).optional() }),
      fields: WireScreen.default({}),
    }),
  ),
})

/** A step of the workflow from the present state of an issue. */
export interface Transition {
  id: string
  name: string
  state: string
  category: ItemTransition['category']
  screen: ScreenField[]
}

export async function readTransitions(
  issueId: string | number,
  client: JiraClient,
  signal: AbortSignal,
): Promise<Transition[]> {
  const query = { expand: 'transitions.fields' }
  const { transitions } = await client.get(`/issue/${issueId}/transitions`, query, WireTransitions, signal)
  return transitions.map(({ id, name, to, fields }) => ({
    id,
    name,
    state: to.name,
    category: findCategory(to.statusCategory?.key),
    screen: toScreenFields(fields),
  }))
}

/** The fields that the screen of a transition requires and of which the issue is known to have no value. */
export function listMissingFields({ screen }: Transition, { fields }: WireIssue): ScreenField[] {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
  return screen.filter(({ id, isRequired }) => isRequired && isEmpty(fields[id]))
}

export function createTransitionReader({ client, metadata, reader }: WriteParts): TransitionReader {
  return {
    async list(itemId, signal) {
      const issue = (await reader.source.readWires([itemId], signal)).get(itemId)
      if (!issue) throw reader.createNotFoundError(itemId)
      const { custom } = await metadata.forReading(signal)
      const transitions = await renameMissing(readTransitions(itemId, client, signal), describeMissing(itemId))
      return transitions
        .filter(({ state }) => state !== issue.item.state)
        .map((transition) => ({
          state: transition.state,
          category: transition.category,
          name: equalsIgnoringCase(transition.name, transition.state) ? null : transition.name,
          required: listMissingFields(transition, issue.wire).map(({ id, name, allowedValues }) => ({
            referenceName: toFieldName(id, custom),
            name,
            allowedValues,
          })),
        }))
    },
  }
}
