import * as z from 'zod'
import { Text } from '../../rules/text'
import type { CustomValues, Kinds, StoredValue } from './load-kinds'

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
export const MAX_QUANTITY = 1_000_000_000
export const Quantity = z.int().min(0).max(MAX_QUANTITY)

export const Height = z.int().min(1).max(1000)

/** The address is stored in lower case: people write one in several ways. */
const Addresses = z
  .array(z.email().max(254).toLowerCase())
  .max(20)
  .overwrite((addresses) => [...new Set(addresses)])

/** The names and the kinds are those that the facility declares; null removes a value. */
const Values = z
  .record(z.string().max(40), z.union([z.number(), Text.max(500), z.null()]))
  .refine((values) => Object.keys(values).length <= 100, 'must have at most 100 values')

/** What all surfaces need to know of a field. */
interface FieldOf<Kind extends keyof Kinds> {
  kind: Kind
  /** Of appointments, and of holds if the field is `placing`. */
  column: string
  /** Checks a value in a request. */
  schema: z.ZodType<Kind extends 'values' ? RequestedValues : Kinds[Kind]>
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
  /** Whether only the staff of the site reads and sets it, no carrier. */
  siteOnly?: true
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
  contactEmails: {
    kind: 'words',
    column: 'contact_emails',
    schema: Addresses,
    about: 'E-mail addresses of the people to inform of the booking and its changes',
    label: 'E-mail',
    flag: 'contact-email',
    flagValue: 'address',
    importTitles: ['contactemail', 'email'],
    hashGroup: 3,
  },
  contactPhone: {
    kind: 'text',
    column: 'contact_phone',
    schema: Text.max(50),
    about: 'Telephone number to call about the load',
    label: 'Phone',
    flag: 'contact-phone',
    flagValue: 'number',
    importTitles: ['phone'],
    hashGroup: 3,
  },
  customFields: {
    kind: 'values',
    column: 'custom_fields',
    schema: Values,
    about: "Values of the facility's custom fields, by their names",
    label: 'Custom fields',
    flag: 'field',
    flagValue: 'name=value',
    importTitles: [],
    hashGroup: 3,
  },
  siteFields: {
    kind: 'values',
    column: 'site_fields',
    schema: Values,
    about: "Values of the facility's custom fields that carriers do not see",
    label: 'Site fields',
    flag: 'site-field',
    flagValue: 'name=value',
    importTitles: [],
    siteOnly: true,
    hashGroup: 3,
  },
} as const satisfies Record<string, Field>

export type Fields = typeof loadFields
export type LoadKey = keyof Fields
export type PlacingKey = { [Key in LoadKey]: Fields[Key] extends { placing: true } ? Key : never }[LoadKey]

export const loadKeys = Object.keys(loadFields) as LoadKey[]
export const placingKeys = loadKeys.filter((key): key is PlacingKey => 'placing' in loadFields[key])

/** The fields that no carrier sees. */
export const siteKeys: readonly string[] = loadKeys.filter((key) => 'siteOnly' in loadFields[key])

type Value<Key extends LoadKey> = Kinds[Fields[Key]['kind']]
type Stored<Key extends LoadKey> = StoredValue<Value<Key>>
/** Values in a request, where null removes one. */
export type RequestedValues = Record<string, string | number | null>

/** A load in a request. A null field counts as missing, and removes the value of an appointment that is changed. */
export type RequestedLoad = {
  [Key in LoadKey]?:
    | (Value<Key> extends string[] ? readonly string[] : Value<Key> extends CustomValues ? RequestedValues : Value<Key>)
    | null
}
/** The load of a request that is stored until it is booked. */
export type WaitingLoad = { [Key in LoadKey]: Value<Key> | null }
/** The load of an appointment. */
export type StoredLoad = { [Key in LoadKey]: Stored<Key> | null }
/** The same by columns. */
export type LoadColumns = { [Key in LoadKey as Fields[Key]['column']]: Stored<Key> | null }
export type PlacingColumns = Pick<LoadColumns, Fields[PlacingKey]['column']>
/** A load in an answer. */
export type ShownLoad = { [Key in LoadKey]: Value<Key> extends object ? Value<Key> : Value<Key> | null }

/** What a surface makes of each field. */
export function mapFields<Made, Key extends LoadKey = LoadKey>(
  make: (field: Field, key: Key) => Made,
  keys: readonly Key[] = loadKeys as LoadKey[] as Key[],
): Record<Key, Made> {
  const made = {} as Record<Key, Made>
  for (const key of keys) made[key] = make(loadFields[key], key)
  return made
}
