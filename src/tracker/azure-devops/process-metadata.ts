import type { z } from 'zod'
import { AsyncMemo, type MemoLifetime } from '../services/async-memo'
import { mapConcurrently } from '../services/requests/map-concurrently'
import type { RetryingClient } from '../services/requests/retrying-client'
import { isPermanentRefusal, isRefusal, TrackerError } from '../services/requests/tracker-error'
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
  WireTypeDetails,
  WireTypes,
} from './wire-schemas'

/** The properties of the process that mapping items needs. Items can be mapped without them. */
type ProcessForItems = Pick<ItemMapping, 'pointsField' | 'levelOf' | 'categoryOf'>

/** The process of the project. Each part is requested when it is first needed, and cached for some minutes. */
export class ProcessMetadata {
  readonly #lifetime: MemoLifetime
  /** The responses by their paths. */
  readonly #cache = new Map<string, AsyncMemo<unknown>>()

  constructor(
    private readonly client: RetryingClient,
    private readonly project: ProjectResolver,
    now: () => number,
  ) {
    this.#lifetime = { ms: client.limits.processCacheMs, now }
  }

  /** Takes two requests, and on older servers one more for each of the named types. */
  async forItems(typeNames: readonly string[], signal: AbortSignal): Promise<ProcessForItems> {
    const [types, backlog] = await Promise.all([
      orNullIfRefused(this.#get('wit/workitemtypes', WireTypes, signal)),
      orNullIfRefused(this.#get('work/backlogconfiguration', WireBacklog, signal)),
    ])
    const named = (types?.value ?? []).filter((type) => typeNames.includes(type.name))
    const levels = mapBacklogLevels(backlog)
    return {
      pointsField: findPointsField(backlog),
      levelOf: (type) => levels.get(type) ?? null,
      categoryOf: indexStateCategories(await this.#withStates(named, signal), backlog),
    }
  }

  /** The points field of the process; null if the tracker does not report one. */
  async findPointsField(signal: AbortSignal): Promise<string | null> {
    return findPointsField(await orNullIfRefused(this.#get('work/backlogconfiguration', WireBacklog, signal)))
  }

  /** Only the types are required. Other parts that the tracker refuses are empty. */
  async process(parts: readonly ProcessPart[], signal: AbortSignal): Promise<TrackerProcess> {
    const read = <Shape extends z.ZodType>(path: string, shape: Shape) =>
      orNullIfRefused(this.#get(path, shape, signal))
    const [types, backlog, fields, areas, iterations, categories] = await Promise.all([
      this.#get('wit/workitemtypes', WireTypes, signal),
      read('work/backlogconfiguration', WireBacklog),
      read('wit/fields', WireFields),
      parts.includes('areas') ? this.#getNodes('areas', signal) : null,
      parts.includes('iterations') ? this.#getNodes('iterations', signal) : null,
      parts.includes('categories') ? read('wit/workitemtypecategories', WireCategories) : null,
    ])
    if (types instanceof TrackerError) throw types
    return mapProcess({
      types: await this.#withStates(types.value, signal),
      backlog,
      fields: fields?.value ?? null,
      categories,
      areaPaths: (areas ?? []).map((node) => node.path),
      iterations: (iterations ?? []).map(mapIteration),
    })
  }

  /** Null if the tracker does not show them. */
  async iterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null> {
    return (await this.#getNodes('iterations', signal))?.map(mapIteration) ?? null
  }

  /**
   * The states into which an item of the type may go from the state, in the order of the workflow. All others if the tracker does not say: the
   * rules of the process decide then.
   */
  async listTransitions(typeName: string, from: string, signal: AbortSignal): Promise<string[]> {
    const types = await this.#get('wit/workitemtypes', WireTypes, signal)
    if (types instanceof TrackerError) throw types
    const named = types.value.filter(({ name }) => name === typeName)
    const path = `wit/workitemtypes/${encodeURIComponent(typeName)}`
    const [[type], details] = await Promise.all([
      this.#withStates(named, signal),
      orNullIfRefused(this.#get(path, WireTypeDetails, signal)),
    ])
    const states = (type?.states ?? []).map(({ name }) => name).filter((name) => name !== from)
    const steps = details?.transitions?.[from]
    if (!steps) return states
    const targets = new Set(steps.flatMap((step) => step?.to ?? []))
    return states.filter((name) => targets.has(name))
  }

  /** Null if the tracker lists none. */
  async listAllowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null> {
    const path = `wit/workitemtypes/${encodeURIComponent(typeName)}/fields/${encodeURIComponent(referenceName)}`
    const response = await orNullIfRefused(this.#get(path, WireAllowedValues, signal))
    return response?.allowedValues?.length ? response.allowedValues.map(String) : null
  }

  /** Older servers return the states of a type only in a request for that type. */
  #withStates(types: readonly WireType[], signal: AbortSignal): Promise<WireType[]> {
    return mapConcurrently(types, { limit: this.client.limits.maxConcurrent, signal }, async (type, signal) => {
      if (type.isDisabled === true || type.states?.length) return type
      const path = `wit/workitemtypes/${encodeURIComponent(type.name)}/states`
      const states = await orNullIfRefused(this.#get(path, WireStates, signal))
      return { ...type, states: states?.value ?? [] }
    })
  }

  /** Null if the tracker refuses them. */
  #getNodes(kind: 'areas' | 'iterations', signal: AbortSignal): Promise<ClassificationNode[] | null> {
    const rest = `wit/classificationnodes/${kind}`
    return orNullIfRefused(
      this.#memoize(rest, signal, (path, signal) => readClassificationNodes(this.client, path, signal)),
    )
  }

  #get<Shape extends z.ZodType>(rest: string, shape: Shape, signal: AbortSignal): Cached<z.output<Shape>> {
    return this.#memoize(rest, signal, (path, signal) => this.client.read({ method: 'GET', path }, shape, signal))
  }

  #memoize<Value>(
    rest: string,
    signal: AbortSignal,
    read: (path: string, signal: AbortSignal) => Promise<Value>,
  ): Cached<Value> {
    const work = async (signal: AbortSignal) =>
      read(buildProjectPath(await this.project.get(signal), `_apis/${rest}`), signal)
    const known = this.#cache.get(rest) as AsyncMemo<Value | TrackerError> | undefined
    const memo = known ?? new AsyncMemo((signal) => catchPermanentRefusal(work(signal)), this.#lifetime)
    this.#cache.set(rest, memo)
    return memo.get(signal)
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
type Cached<Value> = Promise<Value | TrackerError>

/** Caches a permanent refusal like a response, so that it is not requested again for every item. */
function catchPermanentRefusal<Value>(response: Promise<Value>): Cached<Value> {
  return response.catch((error: unknown) => {
    if (isPermanentRefusal(error)) return error
    throw error
  })
}

/** The response, or null if the tracker refused it. */
async function orNullIfRefused<Value>(response: Cached<Value>): Promise<Value | null> {
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

/** The tracker allows no deeper tree. It may cut one earlier all the same; then the rest is requested. */
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
  const read = (names: readonly string[]): Promise<WireNode> => {
    const path = [rootPath, ...names.map(encodeURIComponent)].join('/')
    return client.read({ method: 'GET', path, query: { $depth: MAX_DEPTH } }, WireNode, signal)
  }
  const readBranch = (names: readonly string[], node: WireNode): Promise<WireNode> =>
    read(names).catch((error: unknown) => (isRefusal(error) ? node : Promise.reject(error)))

  const root = await read([])
  const nodes: ClassificationNode[] = []
  await addNodes([], root)
  return nodes

  /** `names` are those below the root. */
  async function addNodes(names: readonly string[], node: WireNode): Promise<void> {
    const isCut = names.length > 0 && node.hasChildren === true && !node.children?.length
    const { attributes, children } = isCut ? await readBranch(names, node) : node
    nodes.push({ path: [root.name, ...names].join('\\'), attributes })
    for (const child of children ?? []) await addNodes([...names, child.name], child)
  }
}
