import type { ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import { levelsOf, pointsFieldOf, statesOf } from './backlog'
import { colorValue } from './field-values'
import { processFieldOf, wireFieldsOfTypes } from './process-field'
import type { WireBacklog, WireCategories, WireField, WireType } from './wire'

/** Everything that was read to describe a process; null for what the tracker would not give. */
export interface ProcessSources {
  types: readonly WireType[]
  backlog: WireBacklog | null
  fields: readonly WireField[] | null
  categories: WireCategories | null
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

function typesOf({ types, backlog, categories }: ProcessSources): WorkItemType[] {
  const levels = levelsOf(backlog)
  return types
    .filter((type) => type.isDisabled !== true)
    .map((type) => ({
      name: type.name,
      color: colorValue(type.color),
      level: levels.get(type.name) ?? null,
      category: categoryOf(type.name, categories),
      states: statesOf(type, backlog),
      fieldReferenceNames: (type.fields ?? []).map((field) => field.referenceName),
    }))
}

function categoryOf(typeName: string, categories: WireCategories | null): string | null {
  return (
    categories?.value.find(({ workItemTypes }) => workItemTypes?.some(({ name }) => name === typeName))?.name ?? null
  )
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
