import type { ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import { levelsOf, pointsFieldOf, statesOf } from './backlog'
import { processFieldOf, wireFieldsOfTypes } from './process-field'
import type { WireBacklog, WireField, WireType } from './wire'

/** Everything that was read to describe a process; null for what the tracker would not give. */
export interface ProcessSources {
  types: readonly WireType[]
  backlog: WireBacklog | null
  fields: readonly WireField[] | null
  areaPaths: string[]
  iterations: TrackerProcess['iterations']
}

export function processOf(sources: ProcessSources): TrackerProcess {
  return {
    types: typesOf(sources),
    areaPaths: sources.areaPaths,
    iterations: sources.iterations,
    fields: fieldsOf(sources),
  }
}

function typesOf({ types, backlog }: ProcessSources): WorkItemType[] {
  const levels = levelsOf(backlog)
  return types
    .filter((type) => type.isDisabled !== true)
    .map((type) => ({
      name: type.name,
      color: /^(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(type.color ?? '')?.[1] ?? null,
      level: levels.get(type.name) ?? null,
      states: statesOf(type, backlog),
      fieldReferenceNames: (type.fields ?? []).map((field) => field.referenceName),
    }))
}

/** The fields that at least one type has, described as well as the tracker allowed. */
function fieldsOf({ types, backlog, fields }: ProcessSources): ProcessField[] {
  const ofTypes = wireFieldsOfTypes(types)
  const described = fields ?? ofTypes
  const used = new Set(ofTypes.map((field) => field.referenceName))
  const wanted = used.size === 0 ? described : described.filter((field) => used.has(field.referenceName))
  const names = new Set(wanted.map((field) => field.referenceName))
  const pointsField = pointsFieldOf(backlog)
  return wanted.map((field) => processFieldOf(field, { pointsField, has: (name) => names.has(name) }))
}
