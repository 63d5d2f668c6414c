import * as z from 'zod'
import { createWithMarker } from '../services/parts/create-with-marker'
import type { CreationOutcome, NewItem, TrackerItem } from '../tracker'
import { type ResolvedInput, resolveInput } from './issue-input'
import type { IssueParts } from './issue-reader'
import type { WireIssue } from './wire-issue'

/** Sends the new issue with the marker as its ID, so that Linear can have it only once, and its text needs no marker. */
export function createIssue(
  item: NewItem,
  options: { signal: AbortSignal; validateOnly?: boolean },
  parts: IssueParts,
): Promise<CreationOutcome> {
  const { linear, metadata, reader } = parts
  const { signal } = options
  return createWithMarker(item, options, {
    reader,
    limits: linear.limits,
    async resolve(parent: WireIssue | null): Promise<ResolvedInput> {
      const resolved = await resolveInput({ fields: item.fields, labelIds: [], type: item.type }, parts, signal)
      if ('problem' in resolved) return resolved
      const { teamId } = await metadata.get(signal)
      const ids = { id: item.marker, teamId, ...(parent ? { parentId: parent.id } : {}) }
      return { input: { ...resolved.input, ...ids } }
    },
    send(input: Record<string, unknown>) {
      const shape = z.object({ issue: z.object({ number: z.int() }) }).transform(({ issue }) => issue.number)
      return linear.change(
        'issueCreate',
        { input: ['IssueCreateInput!', input] },
        { select: 'issue { number }', shape },
        signal,
      )
    },
    find: (verification) => findCreatedIssue(item, verification, parts),
  })
}

export async function findCreatedIssue(
  { marker }: Pick<NewItem, 'marker'>,
  signal: AbortSignal,
  { linear, reader }: IssueParts,
): Promise<TrackerItem | null> {
  const found = await linear.askIssue({ id: { eq: marker } }, 'number', z.object({ number: z.int() }), signal)
  if (found === undefined) return null
  const wire = (await reader.source.readWires([found.number], signal)).get(found.number)
  return wire === undefined ? null : reader.source.mapItem(wire)
}
