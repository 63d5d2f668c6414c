import { isRecord } from '../json'
import type { JsonSchema } from './json-schema'

/** A schema of a description, and the id of the operation that it belongs to. */
export interface Root {
  id: string
  schema: JsonSchema
}

interface Place {
  node: JsonSchema
  /** Named after the property that contains it. */
  name: string
  /** Named after its part of the catalog. */
  owner: string
}

/** A smaller object is easier to read in place than behind a reference. */
const MIN_PROPERTIES = 2

interface Lifting {
  /** Of references to components. */
  prefix: string
  /** Whether a repeated schema is worth a component. */
  isLiftable(schema: JsonSchema, signature: string): boolean
}

const openApi: Lifting = {
  prefix: '#/components/schemas/',
  isLiftable: ({ properties = {} }) => Object.keys(properties).length >= MIN_PROPERTIES,
}

/** Moves repeated and recursive schemas into components. The given schemas are changed in place. */
export function liftRepeats(roots: readonly Root[], lifting = openApi): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {}
  for (const root of roots) liftDefinitions(root, components, lifting)
  const gone = new Set<JsonSchema>()
  for (const places of repeatsOf(roots, components, lifting)) {
    // A schema that occurred only inside larger repeats now occurs once, in their component.
    const [first, ...others] = places.filter(({ node }) => !gone.has(node))
    if (!first || others.length === 0) continue
    const name = freeName(namesOf([first, ...others]), components)
    components[name] = { ...first.node }
    for (const other of others) for (const { node } of withAllBelow(other)) gone.add(node)
    for (const { node } of [first, ...others]) becomeReference(node, lifting.prefix + name)
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The places of equal schemas, the largest first. */
function repeatsOf(roots: readonly Root[], components: Record<string, JsonSchema>, { isLiftable }: Lifting): Place[][] {
  const bySignature = new Map<string, Place[]>()
  const starts = [
    ...roots.map(({ id, schema }) => ({ node: schema, name: rootName(id), owner: nameFor(nounOf(id)) })),
    ...Object.entries(components).flatMap(([name, node]) => childrenOf({ node, name, owner: name })),
  ]
  for (const place of starts.flatMap(withAllBelow)) {
    const signature = signatureOf(place.node)
    if (!isLiftable(place.node, signature)) continue
    bySignature.set(signature, [...(bySignature.get(signature) ?? []), place])
  }
  return [...bySignature]
    .filter(([, places]) => places.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .map(([, places]) => places)
}

/** Moves the definitions of a recursive schema into the components. */
function liftDefinitions({ id, schema }: Root, components: Record<string, JsonSchema>, { prefix }: Lifting): void {
  const { $defs } = schema
  if (!$defs) return
  delete schema.$defs
  for (const [own, definition] of Object.entries($defs)) {
    const same = Object.entries(components).find(([, known]) => signatureOf(known) === signatureOf(definition))
    const lifted = same?.[0] ?? freeName([`${pascal(verbOf(id))}Node`], components)
    components[lifted] = definition
    for (const holder of [schema, ...Object.values($defs)]) redirect(holder, `#/$defs/${own}`, prefix + lifted)
  }
}

function redirect(node: unknown, from: string, to: string): void {
  if (Array.isArray(node)) for (const entry of node) redirect(entry, from, to)
  else if (isRecord(node)) {
    if (node['$ref'] === from) node['$ref'] = to
    for (const value of Object.values(node)) redirect(value, from, to)
  }
}

function withAllBelow(place: Place): Place[] {
  return [place, ...childrenOf(place).flatMap(withAllBelow)]
}

function childrenOf({ node, name, owner }: Place): Place[] {
  const place = (child: JsonSchema, own: string) => ({ node: child, name: own, owner })
  const inProperties = Object.entries(node.properties ?? {}).map(([key, child]) => place(child, nameFor(key)))
  const inItems = isRecord(node.items) ? [place(node.items, name)] : []
  const choices = node.anyOf ?? (node['oneOf'] as JsonSchema[] | undefined) ?? []
  return [...inProperties, ...inItems, ...choices.map((choice) => place(choice, name))]
}

/** A description does not make two schemas different. */
function signatureOf({ description: _, 'x-extension': __, ...node }: JsonSchema): string {
  return JSON.stringify(node)
}

function becomeReference(node: JsonSchema, to: string): void {
  const { description, 'x-extension': isAddition } = node
  for (const key of Object.keys(node)) delete node[key]
  Object.assign(node, { $ref: to }, description && { description }, isAddition && { 'x-extension': isAddition })
}

/** The names of its places, the most frequent one first; then those with the name of their part, in case the short ones are taken. */
function namesOf(places: readonly Place[]): string[] {
  const counts = new Map<string, number>()
  for (const { name } of places) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const kind = eventKind(places[0]!.node)
  return [...(kind ? [kind] : []), ...names, ...names.map((name) => alternative(places[0]!, name))]
}

function alternative({ owner }: Place, name: string): string {
  return owner === name ? `Listed${name}` : `${owner}${name}`
}

/** The name of a part of a stream, by the kind that it contains. */
function eventKind({ properties }: JsonSchema): string | null {
  const kind = properties?.['event']?.['const']
  return typeof kind === 'string' ? `${pascal(kind)}Event` : null
}

function freeName(wanted: readonly string[], taken: Record<string, unknown>): string {
  for (const name of wanted) if (!(name in taken)) return name
  for (let n = 2; ; n++) if (!(`${wanted[0]}${n}` in taken)) return `${wanted[0]}${n}`
}

/** `drafts.get` answers with a draft, `filters.working` with a working filter. */
function rootName(id: string): string {
  const noun = nameFor(nounOf(id))
  const name = `${pascal(verbOf(id))}${noun}`
  return ['get', 'list'].includes(verbOf(id)) ? noun : (preferred[name] ?? name)
}

function nounOf(id: string): string {
  return id.split('.')[0]!
}

function verbOf(id: string): string {
  return id.split('.').slice(1).join('-')
}

/** Names for properties and parts of the catalog that are not named after the schema itself. */
const preferred: Record<string, string> = {
  AssignedTo: 'Person',
  Blocked: 'Blocker',
  Data: 'Appointment',
  Imported: 'WorkItem',
  Item: 'WorkItem',
  Priority: 'Priorities',
  ByState: 'Group',
  ChatLlm: 'ChatAnswer',
  ServiceDesc: 'Link',
  StreamChat: 'ChatAnswer',
}

function nameFor(noun: string): string {
  const name = pascal(singular(noun))
  return preferred[name] ?? name
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

function pascal(name: string): string {
  return name.replace(/(?:^|[-_.])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
