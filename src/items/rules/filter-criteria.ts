import type { FilterCriteria } from '../schemas'

type Given = { [Name in keyof FilterCriteria]?: FilterCriteria[Name] | undefined }

/** All three, null where nothing is asked for. */
export function criteriaOf({ state, assignedTo, search }: Given): FilterCriteria {
  return { state: state ?? null, assignedTo: assignedTo ?? null, search: search ?? null }
}

export function isEmpty(criteria: FilterCriteria): boolean {
  return Object.values(criteria).every((criterion) => criterion === null)
}

/** Those of `given`, and of `kept` where it gives none. */
export function narrowed(kept: FilterCriteria, given: Given): FilterCriteria {
  return {
    state: given.state ?? kept.state,
    assignedTo: given.assignedTo ?? kept.assignedTo,
    search: given.search ?? kept.search,
  }
}
