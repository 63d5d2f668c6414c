import * as z from 'zod'
import { Text } from '../../rules/text'

/** Words such as `reefer`, in lower case and in order, each once. */
export const Features = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9-]{0,40}$/, 'must be a word such as reefer or tail-lift'),
  )
  .max(20)
  .overwrite((words) => [...new Set(words)].filter((word) => word !== '').sort())

/** So large that no load has more, and so small that the sum over all appointments of a facility is exact. */
export const Quantity = z.int().min(0).max(1_000_000_000)

export const Height = z.int().min(1).max(1000)

interface Kinds {
  number: number
  text: string
  /** A list in requests and answers. It is stored, typed in a form and written to a CSV file as one text, with spaces between the words. */
  words: string[]
}

/** What all surfaces need to know of a field. */
interface FieldOf<Kind extends keyof Kinds> {
  kind: Kind
  /** Of appointments, and of holds if the field is `placing`. */
  column: string
  /** Checks a value in a request. */
  schema: z.ZodType<Kinds[Kind]>
  /** In help and in the description of the API. */
  about: string
  /** Replaces `about` where the field sets the length of the appointment. */
  aboutLength?: string
  /** Its name where people read an appointment or fill in a form. */
  label: string
  /** Where people read its value. */
  unit?: string
  /** Without dashes, and the name of its value in help, by default that of the unit. */
  flag: string
  flagValue?: string
  /** Titles of its column in an imported file, in lower-case letters alone, beside its name. */
  importTitles: readonly string[]
  /** Whether it may decide where, when or how long. Holds and searches for free slots have these fields. */
  placing?: true
  /** The documented answers of a booking and of a move that have it. All other answers have all fields. */
  documentedIn?: readonly ('booking' | 'move')[]
  /**
   * Its place in the hash of an imported row: that of the last group, plus one, for a new field. A row without values of a group and all
   * later ones has the hash that it had before there were such fields.
   */
  hashGroup: number
}
export type Field = { [Kind in keyof Kinds]: FieldOf<Kind> }[keyof Kinds]

/**
 * The fields of a load: what an appointment says of it, beside its carrier, its reference and its length. Everything that takes, stores or
 * shows loads derives from this table. To add a field, add a row here and a migration with its column.
 */
export const loadFields = {
  palletCount: {
    kind: 'number',
    column: 'pallet_count',
    schema: Quantity,
    about: 'Number of pallets',
    aboutLength: 'Number of pallets, which sets the length: 20 minutes plus 2 per pallet, within the limits',
    label: 'Pallets',
    flag: 'pallets',
    importTitles: ['pallets'],
    placing: true,
    documentedIn: ['booking', 'move'],
    hashGroup: 0,
  },
  pieceCount: {
    kind: 'number',
    column: 'piece_count',
    schema: Quantity,
    about: 'Number of pieces',
    aboutLength: 'Number of pieces, which may set the length',
    label: 'Pieces',
    flag: 'pieces',
    importTitles: ['pieces'],
    placing: true,
    hashGroup: 2,
  },
  weight: {
    kind: 'number',
    column: 'weight',
    schema: Quantity,
    about: 'Load weight in pounds',
    label: 'Weight',
    unit: 'lbs',
    flag: 'weight',
    importTitles: ['weightlbs'],
    hashGroup: 0,
  },
  loadDescription: {
    kind: 'text',
    column: 'load_description',
    schema: Text.max(2000),
    about: 'Description of the cargo',
    label: 'Load',
    flag: 'load',
    importTitles: ['load', 'description'],
    hashGroup: 0,
  },
  equipmentId: {
    kind: 'text',
    column: 'equipment_id',
    schema: Text.min(1).max(100),
    about: 'Trailer, container or equipment number',
    label: 'Trailer',
    flag: 'equipment',
    flagValue: 'number',
    importTitles: ['equipment'],
    documentedIn: ['booking'],
    hashGroup: 0,
  },
  requirements: {
    kind: 'words',
    column: 'requirements',
    schema: Features,
    about: 'Features that the door must have, such as reefer, hazmat or tail-lift',
    label: 'Requires',
    flag: 'requires',
    flagValue: 'feature',
    importTitles: ['requires'],
    placing: true,
    hashGroup: 1,
  },
  equipmentHeight: {
    kind: 'number',
    column: 'equipment_height',
    schema: Height,
    about: 'Height of the trailer in inches',
    label: 'Height',
    unit: 'inches',
    flag: 'height',
    importTitles: ['height'],
    placing: true,
    hashGroup: 1,
  },
} as const satisfies Record<string, Field>

export type Fields = typeof loadFields
export type LoadKey = keyof Fields
export type PlacingKey = { [Key in LoadKey]: Fields[Key] extends { placing: true } ? Key : never }[LoadKey]

export const loadKeys = Object.keys(loadFields) as LoadKey[]
export const placingKeys = loadKeys.filter((key): key is PlacingKey => 'placing' in loadFields[key])

type Value<Key extends LoadKey> = Kinds[Fields[Key]['kind']]
type Stored<Key extends LoadKey> = Value<Key> extends string[] ? string : Value<Key>

/** A load in a request. A null field counts as missing, and removes the value of an appointment that is changed. */
export type RequestedLoad = {
  [Key in LoadKey]?: (Value<Key> extends string[] ? readonly string[] : Value<Key>) | null
}
/** The load of a request that is stored until it is booked. */
export type WaitingLoad = { [Key in LoadKey]: Value<Key> | null }
/** The load of an appointment. */
export type StoredLoad = { [Key in LoadKey]: Stored<Key> | null }
/** The same by columns. */
export type LoadColumns = { [Key in LoadKey as Fields[Key]['column']]: Stored<Key> | null }
export type PlacingColumns = Pick<LoadColumns, Fields[PlacingKey]['column']>
/** A load in an answer. */
export type ShownLoad = { [Key in LoadKey]: Value<Key> extends string[] ? string[] : Value<Key> | null }

/** What a surface makes of each field. */
export function mapFields<Made, Key extends LoadKey = LoadKey>(
  make: (field: Field, key: Key) => Made,
  keys: readonly Key[] = loadKeys as LoadKey[] as Key[],
): Record<Key, Made> {
  const made = {} as Record<Key, Made>
  for (const key of keys) made[key] = make(loadFields[key], key)
  return made
}
