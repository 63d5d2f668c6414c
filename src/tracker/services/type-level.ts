/** The backlog levels of types by their names in lower case. All other types are requirements. */
const LEVELS: ReadonlyMap<string, number> = new Map(
  Object.entries({ epic: 3, initiative: 3, feature: 2, task: 0, 'sub-task': 0, subtask: 0 }),
)
const REQUIREMENT_LEVEL = 1

/** The backlog level of a type of a tracker that does not define levels. */
export function findTypeLevel(type: string): number {
  return LEVELS.get(type.toLowerCase()) ?? REQUIREMENT_LEVEL
}
