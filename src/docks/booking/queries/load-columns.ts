import {
  type Fields,
  type LoadColumns,
  type LoadKey,
  loadFields,
  mapFields,
  type StoredLoad,
} from '../rules/load-fields'

/** What a query selects to read fields of a load. */
export function selectLoad<Table extends string, Key extends LoadKey>(table: Table, keys: readonly Key[]) {
  type Selected = { [Each in Key]: `${Table}.${Fields[Each]['column']} as ${Each}` }[Key]
  return keys.map((key) => `${table}.${loadFields[key].column} as ${key}` as Selected)
}

/** The column of each field. */
export const loadColumnOf = mapFields(({ column }) => column) as { [Key in LoadKey]: Fields[Key]['column'] }

/** The values of these fields by column. */
export function toColumns<Key extends LoadKey>(load: Pick<StoredLoad, Key>, keys: readonly Key[]) {
  const columns = Object.fromEntries(keys.map((key) => [loadFields[key].column, load[key]]))
  return columns as unknown as Pick<LoadColumns, Fields[Key]['column']>
}
