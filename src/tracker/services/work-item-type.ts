import type { WorkItemType } from '../tracker'

/** A type of a tracker whose types all have the same fields. */
export function createWorkItemType(
  type: Pick<WorkItemType, 'name' | 'level' | 'states'>,
  names: { fields: readonly string[]; title: string; description: string },
): WorkItemType {
  return {
    ...type,
    color: null,
    category: null,
    fieldReferenceNames: [...names.fields],
    requiredFields: [names.title],
    descriptionField: names.description,
  }
}
