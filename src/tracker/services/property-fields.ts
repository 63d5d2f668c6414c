import type { ItemProperty, ProcessField } from '../tracker'

/** The name and the kind of the field of each property. */
const PROPERTIES: Record<ItemProperty, readonly [name: string, kind: ProcessField['kind']]> = {
  title: ['Title', 'string'],
  state: ['State', 'string'],
  assignedTo: ['Assignee', 'identity'],
  areaPath: ['Area', 'path'],
  iterationPath: ['Iteration', 'path'],
  tags: ['Labels', 'tags'],
  storyPoints: ['Points', 'number'],
  priority: ['Priority', 'string'],
  description: ['Description', 'text'],
  acceptanceCriteria: ['Acceptance criteria', 'text'],
}

/** The field that has a property, for trackers whose fields have no names of their own. */
export function createPropertyField(
  referenceName: string,
  property: ItemProperty,
  changes: Partial<ProcessField> = {},
): ProcessField {
  const [name, kind] = PROPERTIES[property]
  return { referenceName, name, kind, readOnly: false, property, ...changes }
}

/** The type, which is set when an item is created. */
export function createTypeField(referenceName: string): ProcessField {
  return { referenceName, name: 'Type', kind: 'string', readOnly: true, property: null }
}
