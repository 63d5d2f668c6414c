import type { AppointmentType, Door } from '../../facilities/rules/facility'
import {
  type Field,
  type LoadKey,
  loadFields,
  loadKeys,
  mapFields,
  type PlacingKey,
  placingKeys,
  type RequestedLoad,
  type ShownLoad,
  type StoredLoad,
  siteKeys,
  type WaitingLoad,
} from './load-fields'
import { loadKinds, splitWords } from './load-kinds'
import { describeReferences, type Reference } from './references'

/** What decides where, when and how long an appointment can be. */
export interface Load extends Pick<StoredLoad, PlacingKey> {
  type: AppointmentType
  /** Null for a hold without a carrier. */
  carrierName: string | null
}

/** What limits count. */
export type CountedLoad = Pick<Load, 'type' | 'carrierName' | 'palletCount'>

/** What a door must have for a load. */
export type LoadRequirements = Pick<Load, 'requirements' | 'equipmentHeight'>

/** The API has a second name for the equipment number. */
type Requested = RequestedLoad & { trailerId?: string | null }

/** The request with the number under its own name. Null under one name does not remove what the other one gives. */
export function resolveEquipment<Request extends Requested>({ trailerId, ...request }: Request) {
  const { equipmentId } = request
  return { ...request, equipmentId: equipmentId ?? (trailerId === undefined ? equipmentId : trailerId) }
}

/** The load of a request as an appointment has it. */
export function toStoredLoad(requested: Requested): StoredLoad {
  return toStoredChanges(toWaitingLoad(resolveEquipment(requested))) as StoredLoad
}

/** The same of the given fields alone. */
export function toStoredChanges(requested: Requested): Partial<StoredLoad> {
  const load = resolveEquipment(requested)
  const given = loadKeys.filter((key) => load[key] !== undefined)
  return mapFields((field, key) => toStored(field, load[key]), given) as Partial<StoredLoad>
}

/** The value of a field as one text or number. An empty text, list or record is no value. */
function toStored({ kind }: Field, value: RequestedLoad[LoadKey]): number | string | null {
  return value == null ? null : loadKinds[kind].store(value as never)
}

/** The load of a request without the rest of it. What it lacks is as in `known`. */
export function toWaitingLoad(requested: RequestedLoad, known: RequestedLoad = {}): WaitingLoad {
  return mapFields((_, key) => requested[key] ?? known[key] ?? null) as WaitingLoad
}

const getHashGroup = (key: LoadKey): number => loadFields[key].hashGroup
const hashOrder = [...loadKeys].sort((a, b) => getHashGroup(a) - getHashGroup(b))

/** The values of a load for a hash, without those of the last groups if they are all missing. */
export function listHashedValues(load: StoredLoad): (number | string | null)[] {
  const last = Math.max(0, ...loadKeys.filter((key) => load[key] !== null).map(getHashGroup))
  return hashOrder.filter((key) => getHashGroup(key) <= last).map((key) => load[key])
}

/** What decides about the place of a request. */
export function toLoad({
  type,
  carrierName = null,
  ...requested
}: Pick<RequestedLoad, PlacingKey> & { type: AppointmentType; carrierName?: string | null }): Load {
  const load = mapFields((field, key) => toStored(field, requested[key]), placingKeys) as Pick<StoredLoad, PlacingKey>
  return { type, carrierName, ...load }
}

/** The load of an appointment in an answer, or that of a hold or a change, which has some of the fields. */
export function presentLoad<Given extends Partial<StoredLoad>>(load: Given): Pick<ShownLoad, LoadKey & keyof Given> {
  const present = ({ kind }: Field, key: LoadKey) => loadKinds[kind].read(load[key] as never)
  const given = loadKeys.filter((key) => load[key] !== undefined)
  return mapFields(present, given) as Pick<ShownLoad, LoadKey & keyof Given>
}

export function isSuitable(
  { features, maxHeight }: Pick<Door, 'features' | 'maxHeight'>,
  { requirements, equipmentHeight }: LoadRequirements,
): boolean {
  if (equipmentHeight !== null && maxHeight !== null && equipmentHeight > maxHeight) return false
  return requirements === null || splitWords(requirements).every((feature) => features.includes(feature))
}

const isLoadKey = (name: string): name is LoadKey => name in loadFields

/** A stored value as answers have it, by the name of its field, which may be none of a load. */
export function presentValue(field: string, stored: unknown): unknown {
  if (field === 'references') return stored === null ? null : JSON.parse(stored as string)
  return isLoadKey(field) ? loadKinds[loadFields[field].kind].read(stored as never) : stored
}

/** The same for people to read. */
export function describeValue(field: string, value: unknown): string {
  if (field === 'references' && Array.isArray(value)) return describeReferences(value)
  return isLoadKey(field) && value != null
    ? loadKinds[loadFields[field].kind].describe(value as never)
    : String(value ?? '')
}

/** What a carrier sees of a stored load. */
export function hideSiteFields<Record extends Partial<StoredLoad>>(record: Record): Record {
  return { ...record, ...Object.fromEntries(siteKeys.map((key) => [key, null])) }
}

/** The known fields of a load for people to read: `['Weight', '900 lbs']`. An answer may lack some. */
export function listLoadFacts({
  references = null,
  ...load
}: { [Key in LoadKey]?: ShownLoad[Key] | null } & { references?: readonly Reference[] | null }): [
  label: string,
  value: string,
][] {
  const several = references !== null && references.length > 1
  const head: [string, string][] = several ? [['References', describeReferences(references)]] : []
  const facts = loadKeys.flatMap((key): [string, string][] => {
    const { kind, label, unit }: Field = loadFields[key]
    const value = load[key]
    const text = value == null ? '' : loadKinds[kind].describe(value as never)
    return text === '' ? [] : [[label, unit === undefined ? text : `${text} ${unit}`]]
  })
  return [...head, ...facts]
}

/** A field of an answer as a cell of a table. */
export function toCell(key: LoadKey, value: ShownLoad[LoadKey]): number | string | null {
  return value === null ? null : loadKinds[loadFields[key].kind].format(value as never)
}
