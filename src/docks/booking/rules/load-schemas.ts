import type * as z from 'zod'
import { LABEL } from '../../../kernel/input/json-schema'
import {
  type Field,
  type Fields,
  type LoadKey,
  loadFields,
  loadKeys,
  mapFields,
  type PlacingKey,
  placingKeys,
} from './load-fields'
import { type Kinds, loadKinds } from './load-kinds'

type RequestShape = { [Key in LoadKey]: z.ZodOptional<z.ZodNullable<Fields[Key]['schema']>> }

const toRequestShape = (aboutOf: (field: { about: string; aboutLength?: string }) => string) =>
  mapFields((field) =>
    (field.schema as z.ZodType).nullish().meta({ description: aboutOf(field), [LABEL]: labelOf(field) }),
  ) as unknown as RequestShape

function labelOf({ label, unit }: Field): string {
  return unit === undefined ? label : `${label} (${unit})`
}

/** The load in a request for a new place, whose length it may set. */
export const loadRequest = toRequestShape(({ about, aboutLength = about }) => aboutLength)

/** The load in a request that does not change the length. */
export const loadChange = toRequestShape(({ about }) => about)

/** What a request for free slots says of the load. */
export const placingRequest = pickPlacing(loadRequest)

type Shown = { [Kind in keyof Kinds]: z.ZodType<Kinds[Kind] extends object ? Kinds[Kind] : Kinds[Kind] | null> }
type Waiting = { [Kind in keyof Kinds]: z.ZodType<Kinds[Kind] | null> }

/** The load in an answer about an appointment. */
export const shownLoad = mapFields(({ kind, about }) => {
  const { shown, isNullable } = loadKinds[kind]
  return (isNullable ? shown.nullable() : shown).describe(about)
}) as unknown as {
  [Key in LoadKey]: Shown[Fields[Key]['kind']]
}

/** The load in an answer about a hold. */
export const shownPlacing = pickPlacing(shownLoad)

/** The load in an answer about a series or an entry of the waitlist. */
export const shownWaiting = mapFields(({ kind, about }) =>
  loadKinds[kind].shown.nullable().describe(about),
) as unknown as {
  [Key in LoadKey]: Waiting[Fields[Key]['kind']]
}

function pickPlacing<Shape extends { [Key in PlacingKey]: unknown }>(shape: Shape): Pick<Shape, PlacingKey> {
  return Object.fromEntries(placingKeys.map((key) => [key, shape[key]])) as Pick<Shape, PlacingKey>
}

type Answer = NonNullable<Field['documentedIn']>[number]
type Undocumented<In extends Answer> = {
  [Key in LoadKey as Fields[Key] extends { documentedIn: readonly (infer Out)[] }
    ? In extends Out
      ? never
      : Key
    : Key]: true
}

/** The fields that a documented answer lacks. */
export function undocumentedIn<In extends Answer>(answer: In): Undocumented<In> {
  const lacking = loadKeys.filter((key) => !(loadFields[key] as Field).documentedIn?.includes(answer))
  return Object.fromEntries(lacking.map((key) => [key, true])) as Undocumented<In>
}

/** The second name of the equipment number in a request, and in an answer. */
export const equipmentAlias = { trailerId: loadChange.equipmentId.describe('Another name for equipmentId') }
export const shownAlias = { trailerId: shownLoad.equipmentId.describe('The same as equipmentId') }

/** Whether the two names do not contradict each other. */
export function hasOneEquipmentId(names: { equipmentId?: string | null; trailerId?: string | null }): boolean {
  return names.equipmentId == null || names.trailerId == null || names.equipmentId === names.trailerId
}

export const EQUIPMENT_ID_MISMATCH = {
  path: ['trailerId'],
  message: 'is another name for equipmentId and must not differ from it',
  when: () => true,
}
