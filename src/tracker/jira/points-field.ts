import type { WireField } from './jira-client'

/** A field for story points. Sites of Cloud often have both: one for team-managed projects, one for all others. */
export interface PointsField {
  id: string
  /** Whether it is the one that Jira has made for team-managed projects, `Story point estimate`. */
  isOfTeams: boolean
}

const NAME = /^story points?(?: estimate)?$/i

export function findPointsFields(fields: readonly WireField[]): PointsField[] {
  return fields.flatMap(({ id, name, custom, schema }) => {
    if (!custom || schema?.type !== 'number') return []
    const isOfTeams = schema.custom?.endsWith(':jsw-story-points') ?? false
    return isOfTeams || NAME.test(name.trim()) ? [{ id, isOfTeams }] : []
  })
}

/** The IDs of the fields, that which fits the style of the project first. */
export function orderPointsFields(fields: readonly PointsField[], isTeamManaged: boolean): string[] {
  const fits = ({ isOfTeams }: PointsField) => isOfTeams === isTeamManaged
  return [...fields.filter(fits), ...fields.filter((field) => !fits(field))].map(({ id }) => id)
}

/** The points of an issue: those of the field that fits its project, or else of the one that its project uses all the same. */
export function readPoints(
  values: Readonly<Record<string, unknown>>,
  fields: readonly PointsField[],
  isTeamManaged: boolean,
): number | null {
  const found = orderPointsFields(fields, isTeamManaged).map((id) => values[id])
  return found.find((value) => typeof value === 'number') ?? null
}

/**
 * The fields to set, where a site has several: the first that the screen has. To remove the points, all that the screen has, because another
 * one may have had a value before. A screen that cannot be read is not counted.
 */
export function createPointsInput(
  points: number | null,
  ids: readonly string[],
  screen: ReadonlySet<string> | null,
): Record<string, number | null> {
  const shown = ids.filter((id) => screen?.has(id))
  const [first, ...others] = shown.length > 0 ? shown : ids.slice(0, 1)
  const cleared = points === null ? others : []
  return Object.fromEntries([...(first === undefined ? [] : [first]), ...cleared].map((id) => [id, points]))
}
