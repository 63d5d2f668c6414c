import type { z } from 'zod'
import { AsyncMemo, type MemoLifetime } from '../services/async-memo'
import { mapConcurrently } from '../services/map-concurrently'
import type { RetryingClient } from '../services/retrying-client'
import { isPermanentRefusal, isRefusal, TrackerError } from '../services/tracker-error'
import type { ProcessPart, TrackerProcess } from '../tracker'
import { parseInstant } from './field-values'
import type { ItemMapping } from './map-item'
import { findPointsField, indexStateCategories, mapBacklogLevels, mapProcess } from './map-process'
import type { ProjectResolver } from './project-resolver'
import { buildProjectPath } from './urls'
import {
  WireAllowedValues,
  WireBacklog,
  WireCategories,
  WireFields,
  WireNode,
  WireStates,
  type WireType,
  WireTypes,
} from './wire-schemas'

/** The properties of the process that mapping items needs. Items can be mapped without them. */
type ProcessForItems = Pick<ItemMapping, 'pointsField' | 'levelOf' | 'categoryOf'>

/** The process of the project. Each part is requested when it is first needed, and cached for some minutes. */
export class ProcessMetadata {
  readonly #client: RetryingClient
  readonly #project: ProjectResolver
  readonly #lifetime: MemoLifetime
  readonly #types: CachedPart<WireType[]>
  readonly #backlog: CachedPart<WireBacklog>
  readonly #fields: CachedPart<WireFields>
  readonly #areas: CachedPart<ClassificationNode[]>
  readonly #iterations: CachedPart<ClassificationNode[]>
  readonly #categories: CachedPart<WireCategories>
  readonly #states = new Map<string, CachedPart<WireStates>>()
  readonly #allowed = new Map<string, CachedPart<WireAllowedValues>>()

  constructor(client: RetryingClient, project: ProjectResolver, now: () => number) {
    this.#client = client
    this.#project = project
    this.#lifetime = { ms: client.limits.processCacheMs, now }
    this.#types = this.#cache((signal) => this.#readTypes(signal))
    this.#backlog = this.#cache((signal) => this.#read('work/backlogconfiguration', WireBacklog, signal))
    this.#fields = this.#cache((signal) => this.#read('wit/fields', WireFields, signal))
    this.#areas = this.#cache((signal) => this.#readNodes('areas', signal))
    this.#iterations = this.#cache((signal) => this.#readNodes('iterations', signal))
    this.#categories = this.#cache((signal) => this.#read('wit/workitemtypecategories', WireCategories, signal))
  }

  /** Takes two requests, and on older servers one more for each of the named types. */
  async forItems(typeNames: readonly string[], signal: AbortSignal): Promise<ProcessForItems> {
    const [types, backlog] = await Promise.all([
      orNullIfRefused(this.#types.get(signal)),
      orNullIfRefused(this.#backlog.get(signal)),
    ])
    const named = (types ?? []).filter((type) => typeNames.includes(type.name))
    const levels = mapBacklogLevels(backlog)
    return {
      pointsField: findPointsField(backlog),
      levelOf: (type) => levels.get(type) ?? null,
      categoryOf: indexStateCategories(await this.#withStates(named, signal), backlog),
    }
  }

  /** Only the types are required. Other parts that the tracker refuses are empty. */
  async process(parts: readonly ProcessPart[], signal: AbortSignal): Promise<TrackerProcess> {
    const readPart = <Value>(part: ProcessPart, cached: CachedPart<Value>) =>
      parts.includes(part) ? orNullIfRefused(cached.get(signal)) : null
    const [types, backlog, fields, areas, iterations, categories] = await Promise.all([
      this.#types.get(signal),
      orNullIfRefused(this.#backlog.get(signal)),
      orNullIfRefused(this.#fields.get(signal)),
      readPart('areas', this.#areas),
      readPart('iterations', this.#iterations),
      readPart('categories', this.#categories),
    ])
    if (types instanceof TrackerError) throw types
    return mapProcess({
      types: await this.#withStates(types, signal),
      backlog,
      fields: fields?.value ?? null,
      categories,
      areaPaths: (areas ?? []).map((node) => node.path),
      iterations: (iterations ?? []).map(mapIteration),
    })
  }

  /** Null if the tracker does not show them. */
  async iterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null> {
    return (await orNullIfRefused(this.#iterations.get(signal)))?.map(mapIteration) ?? null
  }

  /** Null if the tracker lists none. */
  async listAllowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null> {
    const path = `wit/workitemtypes/${encodeURIComponent(typeName)}/fields/${encodeURIComponent(referenceName)}`
    const allowed = this.#allowed.get(path) ?? this.#cache((signal) => this.#read(path, WireAllowedValues, signal))
    this.#allowed.set(path, allowed)
    const response = await orNullIfRefused(allowed.get(signal))
    return response?.allowedValues?.length ? response.allowedValues.map(String) : null
  }

  #cache<Value>(read: (signal: AbortSignal) => Promise<Value>): CachedPart<Value> {
    return new AsyncMemo((signal) => catchPermanentRefusal(read(signal)), this.#lifetime)
  }

  async #readTypes(signal: AbortSignal): Promise<WireType[]> {
    return (await this.#read('wit/workitemtypes', WireTypes, signal)).value
  }

  /** Older servers return the states of a type only in a request for that type. */
  #withStates(types: readonly WireType[], signal: AbortSignal): Promise<WireType[]> {
    return mapConcurrently(types, { limit: this.#client.limits.maxConcurrent, signal }, async (type, signal) => {
      if (type.isDisabled === true || type.states?.length) return type
      const states = await orNullIfRefused(this.#getStates(type.name).get(signal))
      return { ...type, states: states?.value ?? [] }
    })
  }

  #getStates(type: string): CachedPart<WireStates> {
    const path = `wit/workitemtypes/${encodeURIComponent(type)}/states`
    const states = this.#states.get(type) ?? this.#cache((signal) => this.#read(path, WireStates, signal))
    this.#states.set(type, states)
    return states
  }

  async #readNodes(kind: 'areas' | 'iterations', signal: AbortSignal): Promise<ClassificationNode[]> {
    return readClassificationNodes(this.#client, await this.#path(`wit/classificationnodes/${kind}`, signal), signal)
  }

  async #read<Shape extends z.ZodType>(rest: string, shape: Shape, signal: AbortSignal): Promise<z.output<Shape>> {
    return this.#client.read({ method: 'GET', path: await this.#path(rest, signal) }, shape, signal)
  }

  async #path(rest: string, signal: AbortSignal): Promise<string> {
    return buildProjectPath(await this.#project.get(signal), `_apis/${rest}`)
  }
}

function mapIteration({ path, attributes }: ClassificationNode): TrackerProcess['iterations'][number] {
  return {
    path,
    startDate: parseInstant(attributes?.startDate),
    finishDate: parseInstant(attributes?.finishDate),
  }
}

/** The response, or the refusal. */
type CachedPart<Value> = AsyncMemo<Value | TrackerError>

/** Caches a permanent refusal like a response, so that it is not requested again for every item. */
function catchPermanentRefusal<Value>(response: Promise<Value>): Promise<Value | TrackerError> {
  return response.catch((error: unknown) => {
    if (isPermanentRefusal(error)) return error
    throw error
  })
}

/** The response, or null if the tracker refused it. */
async function orNullIfRefused<Value>(response: Promise<Value | TrackerError>): Promise<Value | null> {
  try {
    const value = await response
    return value instanceof TrackerError ? null : value
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** An area or iteration with its complete path, `Project\\Team\\Sprint 1`. */
interface ClassificationNode {
  path: string
  attributes: WireNode['attributes']
}

/** A node and the names of its ancestors, the root first. */
interface NodeWithPath {
  names: readonly string[]
  node: WireNode
}

/** The tracker allows no deeper tree. It may cut one earlier all the same; then the rest is asked for. */
const MAX_DEPTH = 14

/**
 * All nodes below `rootPath` (`/project/_apis/wit/classificationnodes/areas`), parents before children. Paths are
 * built from names: those that the tracker sends have another form. A branch that may not be read ends where it was cut.
 */
async function readClassificationNodes(
  client: RetryingClient,
  rootPath: string,
  signal: AbortSignal,
): Promise<ClassificationNode[]> {
  const read = (listDescendants: readonly string[], signal: AbortSignal): Promise<WireNode> => {
    const path = [rootPath, ...listDescendants.map(encodeURIComponent)].join('/')
    return client.read({ method: 'GET', path, query: { $depth: MAX_DEPTH } }, WireNode, signal)
  }
  const readBranch = ({ names, node }: NodeWithPath, signal: AbortSignal): Promise<NodeWithPath> =>
    read(names.slice(1), signal)
      .catch((error: unknown) => (isRefusal(error) ? node : Promise.reject(error)))
      .then((whole) => ({ names, node: whole }))

  const node = await read([], signal)
  const root: NodeWithPath = { names: [node.name], node }
  const branches = new Map<string, WireNode>()
  let cut = below(root, branches).filter(isTruncated)
  while (cut.length > 0) {
    const found = await mapConcurrently(cut, { limit: client.limits.maxConcurrent, signal }, readBranch)
    for (const branch of found) branches.set(joinPath(branch), branch.node)
    cut = found.flatMap((branch) => below(branch, branches)).filter(isTruncated)
  }
  return [root, ...below(root, branches)].map((placed) => ({
    path: joinPath(placed),
    attributes: placed.node.attributes,
  }))
}

/** Everything under a node, with the branches that were read later in their places. */
function below({ names, node }: NodeWithPath, branches: ReadonlyMap<string, WireNode>): NodeWithPath[] {
  return (node.children ?? []).flatMap((child) => {
    const at = { names: [...names, child.name], node: child }
    const placed = { ...at, node: branches.get(joinPath(at)) ?? child }
    return [placed, ...below(placed, branches)]
  })
}

function isTruncated({ node }: NodeWithPath): boolean {
  return node.hasChildren === true && (node.children ?? []).length === 0
}

function joinPath({ names }: NodeWithPath): string {
  return names.join('\\')
}
