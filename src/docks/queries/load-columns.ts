import {
  type Fields,
  type LoadColumns,
  type LoadKey,
  loadFields,
  loadKeys,
  type PlacingColumns,
  type PlacingKey,
  placingKeys,
  type StoredLoad,
} from '../rules/load-fields'

type Selected<Table extends string, Key extends LoadKey> = {
  [Each in Key]: `${Table}.${Fields[Each]['column']} as ${Each}`
}[Key]

const select = <Table extends string, Key extends LoadKey>(table: Table, keys: readonly Key[]) =>
  keys.map((key) => `${table}.${loadFields[key].column} as ${key}` as Selected<Table, Key>)

/** What a query selects to read the load of an appointment, or of a hold. */
export const appointmentLoad = select('appointment', loadKeys)
export const holdLoad = select('slot_hold', placingKeys)

/** The column of each field. */
export const loadColumnOf = Object.fromEntries(loadKeys.map((key) => [key, loadFields[key].column])) as {
  [Key in LoadKey]: Fields[Key]['column']
}

export function toLoadColumns(load: StoredLoad): LoadColumns {
  return Object.fromEntries(loadKeys.map((key) => [loadFields[key].column, load[key]])) as unknown as LoadColumns
}

export function toPlacingColumns(load: Pick<StoredLoad, PlacingKey>): PlacingColumns {
  return Object.fromEntries(placingKeys.map((key) => [loadFields[key].column, load[key]])) as unknown as PlacingColumns
}
