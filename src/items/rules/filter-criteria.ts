import type { FilterCriteria } from '../schemas'

type PartialCriteria = { [Name in keyof FilterCriteria]?: FilterCriteria[Name] | undefined }

/** All three, null where nothing is asked for. */
export function toCriteria({ state, assignedTo, search }: PartialCriteria): FilterCriteria {
  return { state: state ?? null, assignedTo: assignedTo ?? null, search: search ?? null }
}

export function isEmptyCriteria(criteria: FilterCriteria): boolean {
  return Object.values(criteria).every((criterion) => criterion === null)
}

/** Those of `given`, and of `kept` where it gives none. */
export function overrideCriteria(kept: FilterCriteria, given: PartialCriteria): FilterCriteria {
  return {
    state: given.state ?? kept.state,
    assignedTo: given.assignedTo ?? kept.assignedTo,
    search: given.search ?? kept.search,
  }
}
